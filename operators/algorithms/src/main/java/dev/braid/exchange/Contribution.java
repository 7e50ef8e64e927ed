package dev.braid.exchange;

/**
 * One rank's own gradient for one round.
 *
 * @param round the round, from 0
 * @param gradient the <em>sum</em> (not the mean) of the samples' gradients over the whole vector,
 *     {@code float[length]}. The exchange reads it until the round is complete or rolled back, and
 *     never writes it
 * @param samples number of samples that the gradient sums over; 0, with an all-zero gradient, if
 *     the rank has no data left in this round
 */
public record Contribution(long round, float[] gradient, long samples) {}
