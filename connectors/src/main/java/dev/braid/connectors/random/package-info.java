/**
 * What is drawn at random for samples: the order in which an epoch goes through them, and the
 * numbers that images are changed by.
 *
 * <p>Nothing drawn is ever stored. Each number is a function of the run's seed, the epoch and,
 * where it is about one, the sample: {@link dev.braid.connectors.random.SplitMix} mixes these into
 * 64 bits (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014), and
 * {@link dev.braid.connectors.random.Permutation} shuffles with them (Durstenfeld, "Algorithm 235:
 * random permutation", 1964). So a reader that was restored deals what the one before it would have
 * dealt, whichever worker it is now, and a checkpoint needs no more than a position.
 *
 * <p>The sequences are part of the format of checkpoints: they may not change.
 */
package dev.braid.connectors.random;
