/**
 * Allreduce: every rank ends a round with the sum of all gradients, in the same bits.
 *
 * <p>{@code Allreduce} is the frame of a round, and {@code AllreduceRound} what it keeps: the
 * rank's own gradient, the sum as far as it is final, and messages that came too early. {@link
 * dev.braid.exchange.allreduce.RingAllreduce} sends the least bytes, 2(n−1)/n of the vector; {@link
 * dev.braid.exchange.allreduce.TreeAllreduce} needs the fewest hops, 2 log n. Both travel in
 * chunks, so that adding one overlaps with receiving the next, and add in a fixed order.
 *
 * <p>{@link dev.braid.exchange.allreduce.ParameterAveraging} takes the mean of models, by tree,
 * after k batches of each rank's own.
 */
package dev.braid.exchange.allreduce;
