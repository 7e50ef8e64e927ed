/**
 * Allreduce on a mesh or torus of ranks, which may have holes (Kumar and Jouppi, "Highly available
 * data parallel ML training on mesh networks", 2020).
 *
 * <p>A rank of a mesh has a link to the ranks above, below, left and right of it. A ring allreduce
 * works best if consecutive ranks are neighbours and there are few ranks: with n ranks a sum takes
 * 2(n − 1) hops. A mesh of rows and columns has four {@linkplain
 * dev.braid.exchange.allreduce.mesh.MeshAlgorithm algorithms}, of which three are shown:
 *
 * <pre>
 *   1d    o ─ o ─ o ─ o     2d    o → o → o → o     row-pairs   o → o → o → o
 *         │           │           ↓   ↓   ↓   ↓                 ↑           ↓
 *         o   o ─ o ─ o           o → o → o → o                 o ← o ← o ← o
 *         │   │                   ↓   ↓   ↓   ↓                 ┊   ┊   ┊   ┊
 *         o   o ─ o ─ o           o → o → o → o                 o → o → o → o
 *         │           │           ↓   ↓   ↓   ↓                 ↑           ↓
 *         o ─ o ─ o ─ o           o → o → o → o                 o ← o ← o ← o
 *
 *         one ring of n ranks,    rings of rows, then           rings of two rows, then of
 *         all neighbours          of columns: rows + columns    the ranks at equal positions
 * </pre>
 *
 * <p>The page {@code docs/explanation/mesh.md} explains the algorithms, groups, holes and the
 * prediction of times. In all algorithms, each rank sends 2(n − 1)/n of the vector, the minimum;
 * they differ in the number of hops and in the links that they use. In two dimensions {@code nd}
 * and {@code nd-colours} equal {@code 2d} and {@code 2d-two-colour}. A circuit traverses rows in
 * alternating directions ({@link dev.braid.topology.Mesh#inRows()}).
 *
 * <h2>Stages</h2>
 *
 * <p>A first ring of k ranks leaves one kth of its sum, a shard, at each of them. Ranks with the
 * same shard of different rings form a ring over that shard in the second stage. When each rank has
 * a part of the sum of all ranks, the stages run in reverse order, and shards are gathered. With
 * {@linkplain dev.braid.exchange.allreduce.shards sharded updates}, each rank takes the step in
 * between, for the part whose sum it has, and weights are gathered.
 *
 * <pre>
 *   reduce-scatter in rows ──▶ reduce-scatter in columns ─┐
 *                                                         │ sum of all, a part at each rank
 *   all-gather in rows    ◀──  all-gather in columns    ◀─┘
 * </pre>
 *
 * <h2>Holes</h2>
 *
 * <p>A circuit goes around any block of even size that starts at an even row and column ({@link
 * dev.braid.topology.MeshRings}, Figure 8). In the other algorithms, the rest of a row, or of a
 * pair of rows, next to a hole forms a smaller ring (Figure 9), whose shards are larger than those
 * of full rings. {@link dev.braid.exchange.allreduce.mesh.MeshPlanner} lists the stages in which
 * these rings, and ranks that fit into no ring, forward their values. A rank that fits into no ring
 * forwards to the nearest rank in a ring if it has no neighbour on the way to one. If no row, or no
 * pair of rows, is full, the plan is that of {@code 1d}.
 *
 * <h2>Differences from the paper</h2>
 *
 * <ul>
 *   <li>In the paper, smaller rings forward to neighbours in full rings, which wait for them
 *       (Figure 10). Here a shard goes to its owners, possibly over several links, when both rings
 *       are done, so neither waits. Owners are taken from all full rings in turn, because the links
 *       of the nearest ring would have to carry half of the vector.
 *   <li>Any ranks may be missing, not only blocks of 2k x 2, as long as one is left.
 *   <li>Lines that are not full are holes in a mesh with one dimension less, in which the next
 *       stage forms rings in the same way. There may thus be any number of dimensions.
 *   <li>A smaller ring consists of all ranks on one side of a hole, not of squares of four: the
 *       longer it is, the less each of its ranks forwards.
 * </ul>
 *
 * <h2>Classes</h2>
 *
 * <ul>
 *   <li>{@link dev.braid.topology.MeshRings}: the ranks of each ring
 *   <li>{@link dev.braid.exchange.allreduce.mesh.MeshPlan}, {@link
 *       dev.braid.exchange.allreduce.mesh.MeshStage}: the ranks and ranges of each stage, as data;
 *       {@link dev.braid.exchange.allreduce.mesh.MeshPlanner}, {@code LeftOver}, {@code
 *       SmallerRings}: their derivation from a mesh and its holes
 *   <li>{@code MeshPhases}: one rank's operations; {@code HostSums}, {@code GuestSums}: forwarded
 *       values
 *   <li>{@link dev.braid.exchange.allreduce.mesh.MeshChooser}, {@code MeshEstimate}: choice of the
 *       algorithm and its variant with the shortest time
 *   <li>{@code MeshRounds}: rounds of a view; {@link
 *       dev.braid.exchange.membership.ElasticExchange}: a rank that is unreachable and rejoins
 *   <li>{@code ShardedMesh}, {@code ShardedMeshRounds}, {@code ShardSteps}: updates sharded over
 *       the ranks
 * </ul>
 */
package dev.braid.exchange.allreduce.mesh;
