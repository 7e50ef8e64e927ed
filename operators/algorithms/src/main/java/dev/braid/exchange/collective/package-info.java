/**
 * Collective operations, from which exchanges are composed. The terms are those of MPI.
 *
 * <p>A {@link dev.braid.exchange.collective.Communicator} is an ordered group of ranks: all of
 * them, or a row or column of a mesh. It sends messages between its members in one phase of a
 * round, so that operations that run concurrently or in sequence do not receive each other's
 * messages. A {@link dev.braid.exchange.collective.Collective} is one rank's part of an operation
 * over a range of the vector:
 *
 * <table border="1">
 * <caption>Values at the members before and after, and traffic</caption>
 * <tr><th>operation</th><th>before</th><th>after</th><th>sent by each, of the range</th></tr>
 * <tr><td>{@link dev.braid.exchange.collective.RingReduceScatter}</td>
 * <td>each: its values</td><td>each: its shard of the sum</td><td>(n−1)/n</td></tr>
 * <tr><td>{@link dev.braid.exchange.collective.RingAllGather}</td>
 * <td>each: its shard</td><td>all: the range</td><td>(n−1)/n</td></tr>
 * <tr><td>{@link dev.braid.exchange.collective.TreeReduce}</td>
 * <td>each: its values</td><td>the first: the sum</td><td>1; the first sends none</td></tr>
 * <tr><td>{@link dev.braid.exchange.collective.TreeBroadcast}</td>
 * <td>the first: the range</td><td>all: the range</td><td>2; leaves send none</td></tr>
 * <tr><td>{@link dev.braid.exchange.collective.OrderedSums}</td>
 * <td>each: its values</td><td>an owner: the sum</td><td>1</td></tr>
 * </table>
 *
 * <p>All operations work chunk by chunk, and call a {@code Completion} for each chunk whose values
 * are final at this rank; the completion may pass it to the next operation at once. The order of
 * summation does not depend on arrival.
 *
 * <p>When an operation continues with the results of another, their chunks may differ. {@link
 * dev.braid.exchange.collective.ReadyChunks} counts the elements that are ready.
 *
 * <p>{@link dev.braid.exchange.collective.ShardedUpdate} takes the optimiser step over a shard, for
 * an owner that sums gradients and distributes weights.
 */
package dev.braid.exchange.collective;
