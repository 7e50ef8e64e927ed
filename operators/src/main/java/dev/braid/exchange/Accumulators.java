package dev.braid.exchange;

import dev.braid.vector.Range;
import dev.braid.vector.Vectors;

/**
 * The sums of a rank's gradients that its peers have not been sent yet, for peers in groups and the
 * vector in partitions. Peers of one group are always sent the same partitions at the same time.
 *
 * <p>The paper adds up the last p gradients in one vector, subtracting each p rounds after it was
 * added, and keeps them all in a queue for that (Ako §4.2). Here each of the min(p, n − 1) groups
 * has a vector of its own, which needs as little memory or less; nothing is subtracted, so no
 * rounding error stays behind; and what a partition sums over is what has not been sent, not what
 * should not have been, whatever p was meanwhile. The price is one addition for each group instead
 * of two in all.
 */
final class Accumulators {

  private final Range whole;
  private final int partitions;
  private final float[][] sums;

  /** By group and partition: how many samples are in the sum. */
  private final long[][] samples;

  Accumulators(int length, int groups, int partitions) {
    this.whole = Range.ofLength(length);
    this.partitions = partitions;
    this.sums = new float[groups][length];
    this.samples = new long[groups][partitions];
  }

  int groups() {
    return sums.length;
  }

  int partitions() {
    return partitions;
  }

  Range range(int partition) {
    return whole.part(partition, partitions);
  }

  /** Adds all that waits in a single accumulator, of one group and one partition. */
  void addAll(Accumulators single) {
    if (!single.isClean()) {
      add(single.sums[0], single.samples[0][0]);
      single.clear(0, 0);
    }
  }

  /** Adds a gradient, or a sum of some, over at least one sample, for all groups. */
  void add(float[] addend, long addedSamples) {
    for (int group = 0; group < sums.length; group++) {
      for (int partition = 0; partition < partitions; partition++) {
        Range range = range(partition);
        // What is behind a count of 0 was sent, and is written over.
        if (samples[group][partition] == 0) {
          System.arraycopy(addend, range.start(), sums[group], range.start(), range.length());
        } else {
          Vectors.add(sums[group], range.start(), addend, range.start(), range.length());
        }
        samples[group][partition] += addedSamples;
      }
    }
  }

  /** The sum for this group; valid over partitions of which {@link #samples} is not 0. */
  float[] sum(int group) {
    return sums[group];
  }

  /** Samples in the sum; 0 where nothing waits. */
  long samples(int group, int partition) {
    return samples[group][partition];
  }

  /** The group has been sent this partition. */
  void clear(int group, int partition) {
    samples[group][partition] = 0;
  }

  /** Whether every group has been sent everything. */
  boolean isClean() {
    for (long[] counts : samples) {
      for (long count : counts) {
        if (count > 0) {
          return false;
        }
      }
    }
    return true;
  }
}
