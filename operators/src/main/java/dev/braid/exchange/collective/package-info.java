/**
 * Operations that all members of a group make together, out of which exchanges are composed; the
 * words are MPI's.
 *
 * <p>A {@link dev.braid.exchange.collective.Group} is ranks in an order: all of them, a mesh's row
 * or its column. A {@link dev.braid.exchange.collective.Communicator} lets its members reach each
 * other in one phase of a round, so that operations that run beside or after one another do not
 * take each other's messages. A {@link dev.braid.exchange.collective.Collective} is one rank's part
 * of an operation over a range of the vector:
 *
 * <table border="1">
 * <caption>what members have before and after</caption>
 * <tr><th>operation</th><th>before</th><th>after</th><th>sent by each, of the range</th></tr>
 * <tr><td>{@link dev.braid.exchange.collective.RingReduceScatter}</td>
 * <td>each its values</td><td>each its shard of the sum</td><td>(n−1)/n</td></tr>
 * <tr><td>{@link dev.braid.exchange.collective.RingAllGather}</td>
 * <td>each its shard</td><td>all the range</td><td>(n−1)/n</td></tr>
 * <tr><td>{@link dev.braid.exchange.collective.PairSwap}</td>
 * <td>two their values</td><td>both the sum</td><td>1</td></tr>
 * <tr><td>{@link dev.braid.exchange.collective.TreeReduce}</td>
 * <td>each its values</td><td>the first the sum</td><td>1, the first none</td></tr>
 * <tr><td>{@link dev.braid.exchange.collective.TreeBroadcast}</td>
 * <td>the first the range</td><td>all the range</td><td>2, leaves none</td></tr>
 * <tr><td>{@link dev.braid.exchange.collective.OrderedSums}</td>
 * <td>each its values</td><td>an owner the sum</td><td>1</td></tr>
 * </table>
 *
 * <p>All go chunk by chunk, and tell a {@code Completion} of each chunk whose values are final
 * here, which may hand it to the next operation at once. Sums are in an order that no arrival
 * changes.
 *
 * <p>Where an operation goes on with what another has final, chunks of the one need not be those of
 * the other: {@link dev.braid.exchange.collective.ReadyChunks} counts what is there.
 *
 * <p>{@link dev.braid.exchange.collective.ShardedUpdate} takes the step of the model over a shard,
 * for an owner that sums gradients up and hands weights out.
 */
package dev.braid.exchange.collective;
