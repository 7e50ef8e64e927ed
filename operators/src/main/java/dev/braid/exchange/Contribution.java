package dev.braid.exchange;

/**
 * A rank's own gradient of one round.
 *
 * @param round the round, from 0
 * @param gradient the <em>sum</em> (not the mean) of the samples' gradients, over the whole vector;
 *     the exchange reads it and never writes it, until the round is complete or rolled back
 * @param samples how many samples the gradient sums over; 0 with a gradient of zeros where a rank
 *     has no data left in this round
 */
public record Contribution(long round, float[] gradient, long samples) {}
