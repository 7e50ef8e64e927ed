/**
 * Allreduce: every rank ends a round with the sum of all gradients, in the same bits.
 *
 * <p>{@code AllreduceRounds} are the frame of all algorithms, and {@code AllreduceRound} what it
 * keeps: the rank's own gradient, the sum as far as it is final, and messages that came too early.
 * {@code Allreduce} is them as an exchange in which all ranks take part. An algorithm is a list of
 * {@linkplain dev.braid.exchange.collective operations}, its {@code Phases}, each of which hands
 * chunks that are final in it to the next:
 *
 * <pre>
 *   RingAllreduce   gradient ──▶ RingReduceScatter ──chunk──▶ RingAllGather ──▶ sum
 *                   gradient ──▶ PairSwap ──▶ sum                    (of two ranks)
 *   TreeAllreduce   gradient ──▶ TreeReduce ──chunk──▶ TreeBroadcast ──▶ sum
 * </pre>
 *
 * <p>{@link dev.braid.exchange.allreduce.RingAllreduce} sends the least bytes, 2(n−1)/n of the
 * vector; {@link dev.braid.exchange.allreduce.TreeAllreduce} needs the fewest hops, 2 log n.
 *
 * <p>On a mesh of ranks an algorithm is a plan of many rings: {@link
 * dev.braid.exchange.allreduce.mesh}.
 *
 * <p>{@link dev.braid.exchange.allreduce.ParameterAveraging} takes the mean of models, by tree,
 * after k batches of each rank's own.
 */
package dev.braid.exchange.allreduce;
