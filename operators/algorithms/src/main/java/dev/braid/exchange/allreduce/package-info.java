/**
 * Allreduce: every rank ends a round with the same sum of all gradients, bit for bit.
 *
 * <p>{@link dev.braid.exchange.allreduce.Allreduce} is the framework of all algorithms: it keeps
 * the rank's own gradient, the final parts of the sum, and early messages. An algorithm is a list
 * of {@linkplain dev.braid.exchange.collective operations}, its {@code Phases}, each of which
 * passes finished chunks to the next:
 *
 * <pre>
 *   RingAllreduce   gradient ──▶ RingReduceScatter ──chunk──▶ RingAllGather ──▶ sum
 *                   gradient ──▶ swapped ──▶ sum                     (two ranks)
 *   TreeAllreduce   gradient ──▶ TreeReduce ──chunk──▶ TreeBroadcast ──▶ sum
 * </pre>
 *
 * <p>{@link dev.braid.exchange.allreduce.RingAllreduce} sends the fewest bytes, 2(n−1)/n of the
 * vector. {@link dev.braid.exchange.allreduce.TreeAllreduce} needs the fewest hops, 2 log n.
 *
 * <p>On a mesh of ranks, an algorithm is a plan of many rings: {@link
 * dev.braid.exchange.allreduce.mesh}.
 */
package dev.braid.exchange.allreduce;
