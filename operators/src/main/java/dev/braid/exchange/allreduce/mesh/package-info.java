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
 * <p>{@code 2d-two-colour} runs {@code 2d} for one half of the vector and, at the same time,
 * columns before rows for the other half. In all four, each rank sends 2(n − 1)/n of the vector,
 * the minimum; they differ in the number of hops and in the links that they use.
 *
 * <p>In more dimensions, {@code nd} has rings along one dimension after the other. {@code
 * nd-colours} splits the vector into one part per dimension, each of which begins with another
 * dimension. In two dimensions they equal {@code 2d} and {@code 2d-two-colour}. A circuit traverses
 * rows in alternating directions ({@link dev.braid.topology.Mesh#inRows()}). On a torus the last
 * rank of a line has a link to the first, which saves the way back along the line.
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
 * of full rings. Each member forwards its shard to the ranks of full rings that own these elements,
 * and gets the finished sum back.
 *
 * <p>A rank that fits into no ring forwards its gradient before the rings begin: to a neighbour or,
 * without a neighbour on the way to a ring, to the nearest rank in a ring. It sends block by block
 * in the order in which that ring needs them. If no row, or no pair of rows, is full, the plan is
 * that of {@code 1d}.
 *
 * <h2>Groups</h2>
 *
 * <p>A plan may add up in groups of ranks first, and then across them ({@link
 * dev.braid.exchange.allreduce.mesh.MeshPlanner.Variant}), if the predicted time is shorter.
 * Smaller rings side by side add up their sums and forward one sum. The last rings, of n ranks with
 * a small shard each, become rings of neighbours and rings across these.
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
 * <table border="1">
 * <caption>Topics and the classes that implement them</caption>
 * <tr><th>topic</th><th>class</th></tr>
 * <tr><td>the ranks of each ring</td><td>{@link dev.braid.topology.MeshRings}</td></tr>
 * <tr><td>the ranks and ranges of each stage, as data</td>
 * <td>{@link dev.braid.exchange.allreduce.mesh.MeshPlan}, {@link
 * dev.braid.exchange.allreduce.mesh.MeshStage}</td></tr>
 * <tr><td>derivation of these data from a mesh and its holes</td>
 * <td>{@link dev.braid.exchange.allreduce.mesh.MeshPlanner}, {@code LeftOver}, {@code
 * SmallerRings}</td></tr>
 * <tr><td>one rank's operations</td><td>{@code MeshPhases}; {@code HostSums} and {@code
 * GuestSums} for forwarded values</td></tr>
 * <tr><td>choice of the algorithm and its variant with the shortest time</td>
 * <td>{@link dev.braid.exchange.allreduce.mesh.MeshChooser}, {@code MeshEstimate}</td></tr>
 * <tr><td>updates sharded over the ranks</td>
 * <td>{@code ShardedMesh}, {@code ShardedMeshRounds}, {@code ShardSteps}</td></tr>
 * <tr><td>rounds of a view</td><td>{@code MeshRounds}</td></tr>
 * <tr><td>a rank that is unreachable and rejoins</td>
 * <td>{@link dev.braid.exchange.membership.ElasticExchange}</td></tr>
 * </table>
 */
package dev.braid.exchange.allreduce.mesh;
