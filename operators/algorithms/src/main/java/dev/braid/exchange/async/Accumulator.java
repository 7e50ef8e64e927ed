package dev.braid.exchange.async;

import dev.braid.vector.Range;

/**
 * The gradients accumulated for one group of peers that are sent the same; see {@link
 * Accumulators}.
 */
final class Accumulator {

  final int group;
  final boolean[] peers;

  /**
   * Value of the running total when each element was last sent, {@code float[length]}; over the
   * partition that is posted, the difference from the total, which the outbox is sending.
   */
  final float[] sentOrSending;

  /**
   * Number of samples of all gradients when each partition was last sent, {@code long[partitions]}.
   */
  final long[] sentSamples;

  /**
   * Whether this accumulator takes part in the posted turn, so that its partition counts as sent
   * when the turn ends.
   */
  boolean posted;

  /**
   * Whether the only peer of this accumulator gets no turns, because it is absent or has not caught
   * up.
   */
  boolean outOfTurn;

  /**
   * Number of turns until each partition has been sent once since the peers of this accumulator
   * came together. At 0 the accumulator may be merged.
   */
  int turnsToMerge;

  /**
   * The partition in which the peer that catches up is; {@link #nextElement} is its first unsent
   * element.
   */
  private int partition;

  private int nextElement;

  /**
   * Number of samples of all gradients when the catch-up reached the first element of {@link
   * #partition}. Chunks of a partition are sent one after another, and gradients computed meanwhile
   * are in the later chunks only. When the partition is complete, it therefore counts as sent up to
   * this number.
   */
  private long samplesBefore;

  Accumulator(int group, boolean[] peers, float[] sentOrSending, long[] sentSamples) {
    this.group = group;
    this.peers = peers;
    this.sentOrSending = sentOrSending;
    this.sentSamples = sentSamples;
    this.turnsToMerge = sentSamples.length;
  }

  int partitions() {
    return sentSamples.length;
  }

  /** Begins the peer's catch-up at the first partition. */
  void beginCatchUp(long samples) {
    partition = 0;
    nextElement = 0;
    samplesBefore = samples;
  }

  /**
   * Continues the catch-up of another accumulator, which had other partitions, at the beginning of
   * the new partition that contains the first unsent element. The elements before that one are sent
   * a second time, with only the gradients that were computed since. Otherwise the partition could
   * not count as sent up to one number of samples.
   */
  void keepCatchingUp(Accumulator before, Range whole, long samples) {
    partition = 0;
    while (partition < partitions()
        && whole.part(partition, partitions()).end() <= before.nextElement) {
      partition++;
    }
    nextElement =
        partition < partitions() ? whole.part(partition, partitions()).start() : before.nextElement;
    samplesBefore = samples;
  }

  /**
   * Moves the catch-up past the partitions that are complete, and returns whether these are all.
   * The peer has then been sent everything that was accumulated for it when the catch-up reached
   * each partition. Gradients computed since do not count.
   */
  boolean hasCaughtUp(Range whole, long samples) {
    while (partition < partitions() && isDone(whole.part(partition, partitions()), samples)) {
      if (samples > sentSamples[partition]) {
        sentSamples[partition] = samplesBefore;
      }
      nextElement = whole.part(partition, partitions()).end();
      partition++;
      samplesBefore = samples;
    }
    return partition == partitions();
  }

  private boolean isDone(Range range, long samples) {
    return nextElement >= range.end() || samples == sentSamples[partition];
  }

  /**
   * Returns the next range to send to the peer, which must not have caught up: at most {@code
   * chunkLength} elements.
   */
  Range nextMissed(Range whole, int chunkLength) {
    int end = whole.part(partition, partitions()).end();
    return new Range(nextElement, Math.min(end, nextElement + chunkLength));
  }

  /** Returns the number of samples in the next missed range. */
  long missedSamples(long samples) {
    return samples - sentSamples[partition];
  }

  /** Marks a chunk as sent to the peer that catches up. */
  void markCaughtUp(Range chunk, float[] total) {
    System.arraycopy(total, chunk.start(), sentOrSending, chunk.start(), chunk.length());
    nextElement = chunk.end();
  }
}
