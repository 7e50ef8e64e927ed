/**
 * Allreduce on a mesh or torus of ranks, which may have holes (Kumar and Jouppi, "Highly available
 * data parallel ML training on mesh networks", 2020).
 *
 * <p>A rank of a mesh has a link to the ranks above, below, to the left and to the right of it. A
 * ring allreduce wants its next rank to be a neighbour, and few ranks: with n of them a sum takes
 * 2(n − 1) hops. A {@linkplain dev.braid.exchange.allreduce.mesh.MeshAlgorithm mesh} of rows and
 * columns has four ways:
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
 *         all neighbours,         rings of rows, then           rings of two rows, then of
 *         n ranks in a ring       of columns: rows + columns    those at one place of each
 * </pre>
 *
 * <p>In more dimensions {@code nd} has rings along one after the other, and {@code nd-colours} as
 * many parts of the vector as dimensions, each of which begins with another: in two they are {@code
 * 2d} and {@code 2d-two-colour}. A circuit is made of rows that are gone through to and fro ({@link
 * dev.braid.topology.Mesh#inRows()}). On a torus the last rank of a line has a link to the first,
 * which saves the way back along it.
 *
 * <p>{@code 2d-two-colour} does {@code 2d} for one half of the vector and columns before rows for
 * the other, at the same time. Each rank sends 2(n − 1)/n of the vector in all of them, the least
 * that there is: what differs is how many hops that takes, and which links.
 *
 * <h2>Stages</h2>
 *
 * <p>A first ring of k ranks leaves each of them one kth of its sum, its shard. Ranks that have the
 * same shard of different rings make a ring in the second stage, over that shard. When each rank
 * has a part of the sum of all, the stages are gone through backwards, and shards are gathered.
 * With {@linkplain dev.braid.exchange.allreduce.shards sharded updates} each rank takes the step in
 * between, for the part that it has the sum of, and weights are gathered.
 *
 * <pre>
 *   reduce-scatter in rows ──▶ reduce-scatter in columns ─┐
 *                                                         │ sum of all, a part at each rank
 *   all-gather in rows    ◀──  all-gather in columns    ◀─┘
 * </pre>
 *
 * <h2>Around holes</h2>
 *
 * <p>A circuit goes around any block of even size that starts at an even row and column ({@link
 * dev.braid.topology.MeshRings}, Figure 8). In the other ways, what a hole leaves of a row, or of a
 * pair, makes a smaller ring (Figure 9), whose shards are larger than those of full rings. Each
 * member forwards its shard to ranks of full rings that have these elements, and gets the finished
 * sum back. A rank that fits into no ring forwards its gradient to a neighbour, or where it has
 * none in a ring to the nearest rank of one, before the rings begin, block by block in the order in
 * which that ring needs them. Where no row, or no pair, is full, the plan is that of {@code 1d}.
 *
 * <h2>In groups</h2>
 *
 * <p>A plan may add up in groups of ranks first, and then across them ({@link
 * dev.braid.exchange.allreduce.mesh.MeshPlanner.Way}), where that is predicted to take less time:
 * smaller rings side by side add up their sums and forward one; and the last rings, of n ranks with
 * a small shard each, become rings of neighbours and rings across these.
 *
 * <h2>Other than in the paper</h2>
 *
 * <ul>
 *   <li>There smaller rings forward to neighbours that are in full rings, which wait for them
 *       (Figure 10). Here a shard goes to its owners, maybe over several links, when both rings are
 *       done: neither waits. Owners are taken from all full rings in turn, as the links of the
 *       nearest one would have half the vector to carry.
 *   <li>Any ranks may be missing, not only blocks of 2k x 2, as long as one is left.
 *   <li>Lines that are not full are holes in a mesh of one dimension less, in which the next stage
 *       has rings in the same way: so there may be any number of dimensions.
 *   <li>A smaller ring is what is left on one side of a hole as a whole, and not squares of four:
 *       the longer it is, the less each of its ranks forwards.
 * </ul>
 *
 * <h2>Where to read what</h2>
 *
 * <table border="1">
 * <caption>question and file</caption>
 * <tr><th>question</th><th>file</th></tr>
 * <tr><td>which ranks make rings</td><td>{@link dev.braid.topology.MeshRings}</td></tr>
 * <tr><td>who does what over which range, as data</td>
 * <td>{@link dev.braid.exchange.allreduce.mesh.MeshPlan}, {@link
 * dev.braid.exchange.allreduce.mesh.MeshStage}</td></tr>
 * <tr><td>how that follows from a mesh and its holes</td>
 * <td>{@link dev.braid.exchange.allreduce.mesh.MeshPlanner}, {@code LeftOver}, {@code
 * SmallerRings}</td></tr>
 * <tr><td>one rank's operations</td><td>{@code MeshPhases}; {@code HostSums} and {@code
 * GuestSums} for what is forwarded</td></tr>
 * <tr><td>which algorithm, and which way of it, takes the least time</td>
 * <td>{@link dev.braid.exchange.allreduce.mesh.MeshChooser}, {@code MeshRehearsal}, {@code
 * MeshEstimate}, {@link dev.braid.cost.MeshTraffic}</td></tr>
 * <tr><td>updates sharded over the ranks</td>
 * <td>{@code ShardedMesh}, {@code ShardedMeshRounds}, {@code ShardSteps}</td></tr>
 * <tr><td>rounds of a view</td><td>{@code MeshRounds}</td></tr>
 * <tr><td>a rank is cut off, and comes back</td>
 * <td>{@link dev.braid.exchange.membership.ElasticExchange}</td></tr>
 * </table>
 */
package dev.braid.exchange.allreduce.mesh;
