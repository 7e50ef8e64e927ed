package dev.braid.exchange.collective;

import dev.braid.exchange.message.Payload;
import dev.braid.vector.Slice;
import java.util.Arrays;

/**
 * The sums that an owner makes of what all contributors send it directly: chunk by chunk, in the
 * order of the contributors, whichever comes first. What is early waits where it was received.
 */
public final class OrderedSums {

  private final float[][] sums;

  /** Per chunk: how many contributors' values are in the sum, and over how many samples. */
  private final int[] added;

  private final long[] samples;

  /** Per chunk and contributor: values that are not in the sum yet; or null. */
  private final Payload[][] waiting;

  private final long[][] waitingSamples;

  /**
   * @param lengths elements of each chunk
   * @param contributors how many send values of each chunk
   */
  public OrderedSums(int[] lengths, int contributors) {
    this.sums = Arrays.stream(lengths).mapToObj(float[]::new).toArray(float[][]::new);
    this.added = new int[lengths.length];
    this.samples = new long[lengths.length];
    this.waiting = new Payload[lengths.length][contributors];
    this.waitingSamples = new long[lengths.length][contributors];
  }

  /**
   * Takes a contributor's values, and releases them once they are in the sum.
   *
   * @return whether the chunk's sum is complete
   */
  public boolean add(int chunk, int contributor, Payload values, long ofSamples) {
    if (waiting[chunk][contributor] != null || contributor < added[chunk]) {
      throw new IllegalStateException(
          "contributor " + contributor + " has already sent its values of chunk " + chunk);
    }
    waiting[chunk][contributor] = values;
    waitingSamples[chunk][contributor] = ofSamples;
    while (!isComplete(chunk) && waiting[chunk][added[chunk]] != null) {
      addNext(chunk);
    }
    return isComplete(chunk);
  }

  private void addNext(int chunk) {
    int next = added[chunk]++;
    Payload values = waiting[chunk][next];
    waiting[chunk][next] = null;
    if (next == 0) {
      values.copyTo(sums[chunk], 0);
    } else {
      values.addTo(sums[chunk], 0);
    }
    samples[chunk] += waitingSamples[chunk][next];
    values.release();
  }

  private boolean isComplete(int chunk) {
    return added[chunk] == waiting[chunk].length;
  }

  /** A chunk's sum. */
  public Slice sum(int chunk) {
    return Slice.view(sums[chunk], 0, sums[chunk].length);
  }

  /** How many samples a chunk's sum is over. */
  public long samples(int chunk) {
    return samples[chunk];
  }

  /** Begins a chunk's sum anew, and releases what waits for it. */
  public void clear(int chunk) {
    for (Payload values : waiting[chunk]) {
      if (values != null) {
        values.release();
      }
    }
    Arrays.fill(waiting[chunk], null);
    added[chunk] = 0;
    samples[chunk] = 0;
  }

  /** Begins all sums anew. */
  public void clear() {
    for (int chunk = 0; chunk < waiting.length; chunk++) {
      clear(chunk);
    }
  }
}
