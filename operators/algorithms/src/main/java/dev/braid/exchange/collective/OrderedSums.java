package dev.braid.exchange.collective;

import dev.braid.exchange.message.Payload;
import dev.braid.vector.Slice;
import java.util.Arrays;

/**
 * The sums that an owner computes from values that all contributors send to it directly. Each chunk
 * is summed in the order of the contributors, independent of arrival. Early values wait in the
 * buffers in which they were received.
 */
public final class OrderedSums {

  private final float[][] sums;

  /** Per chunk: number of contributors whose values are in the sum. */
  private final int[] added;

  /** Per chunk: number of samples that the sum is over. */
  private final long[] samples;

  /** Per chunk and contributor: received values that are not in the sum yet; or null. */
  private final Payload[][] waiting;

  private final long[][] waitingSamples;

  /**
   * Creates empty sums.
   *
   * @param lengths number of elements of each chunk
   * @param contributors number of contributors to each chunk
   */
  public OrderedSums(int[] lengths, int contributors) {
    this.sums = Arrays.stream(lengths).mapToObj(float[]::new).toArray(float[][]::new);
    this.added = new int[lengths.length];
    this.samples = new long[lengths.length];
    this.waiting = new Payload[lengths.length][contributors];
    this.waitingSamples = new long[lengths.length][contributors];
  }

  /**
   * Takes a contributor's values for a chunk, and releases them once they are in the sum.
   *
   * @param ofSamples number of samples that the values sum over
   * @return whether the chunk's sum is complete
   * @throws IllegalStateException if the contributor has already sent values for the chunk
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

  /** Returns a view of a chunk's sum. */
  public Slice sum(int chunk) {
    return Slice.view(sums[chunk], 0, sums[chunk].length);
  }

  /** Returns the number of samples that a chunk's sum is over. */
  public long samples(int chunk) {
    return samples[chunk];
  }

  /** Resets a chunk's sum, and releases the values that wait for it. */
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

  /** Resets all sums. */
  public void clear() {
    for (int chunk = 0; chunk < waiting.length; chunk++) {
      clear(chunk);
    }
  }
}
