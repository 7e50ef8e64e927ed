package dev.braid.exchange.async;

import dev.braid.vector.Range;

/** What a rank has accumulated for peers that are sent the same, one of {@link Accumulators}. */
final class Accumulator {

  final int group;
  final boolean[] peers;

  /**
   * By element: the total when it was last sent. Over the partition that is posted: the difference
   * from the total, which is what the outbox is sending.
   */
  final float[] sentOrSending;

  /** By partition: the samples in the total when it was last sent. */
  final long[] sentSamples;

  /**
   * Whether it takes part in the turn that is posted, so that what was posted is sent at its end.
   */
  boolean posted;

  /** Whether its peer, the only one, has no turns: it is absent, or has not caught up. */
  boolean outOfTurn;

  /**
   * How many more turns until each partition has been sent once since its peers came together; at 0
   * it may be merged.
   */
  int turnsToMerge;

  /** While its peer catches up: the partition that it is in, and its first element not yet sent. */
  private int partition;

  private int nextElement;

  /** The samples in the total when that partition's first element was next. */
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

  /** Its peer catches up from the first partition on. */
  void beginCatchUp(long samples) {
    partition = 0;
    nextElement = 0;
    samplesBefore = samples;
  }

  /**
   * With other partitions its peer catches up where it was before. What it has had of the partition
   * that this is in now, it has again: it may lack a gradient that the rest has had.
   */
  void goOnCatchingUp(Accumulator before, Range whole, long samples) {
    partition = 0;
    while (partition < partitions()
        && whole.part(partition, partitions()).end() <= before.nextElement) {
      partition++;
    }
    nextElement =
        partition < partitions() ? whole.part(partition, partitions()).start() : before.nextElement;
    samplesBefore = samples;
  }

  /** Whether its peer has caught up with these samples, but for those that came meanwhile. */
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

  /** What its peer, which has not caught up, is to be sent next. */
  Range nextMissed(Range whole, int chunkLength) {
    int end = whole.part(partition, partitions()).end();
    return new Range(nextElement, Math.min(end, nextElement + chunkLength));
  }

  /** How many samples are in that. */
  long missedSamples(long samples) {
    return samples - sentSamples[partition];
  }

  /** That is sent. */
  void markCaughtUp(Range chunk, float[] total) {
    System.arraycopy(total, chunk.start(), sentOrSending, chunk.start(), chunk.length());
    nextElement = chunk.end();
  }
}
