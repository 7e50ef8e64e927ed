/**
 * Random numbers for samples: the order in which an epoch goes through them, and the random changes
 * of images.
 *
 * <p>No random number is ever stored. Each is a function of the run's seed, the epoch and, for a
 * change of one sample, that sample: {@link dev.braid.connectors.random.SplitMix} mixes these into
 * 64 bits (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014), and
 * {@link dev.braid.connectors.random.Permutation} shuffles with them (Durstenfeld, "Algorithm 235:
 * random permutation", 1964). A restored reader on any worker therefore deals the samples that the
 * previous one would have dealt, and a checkpoint needs only a position.
 *
 * <p>The sequences are part of the format of checkpoints and must not change.
 */
package dev.braid.connectors.random;
