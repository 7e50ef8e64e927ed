package dev.braid.exchange.collective;

import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Sum;
import dev.braid.vector.Range;
import dev.braid.vector.Vectors;

/**
 * Allreduce of two: they swap their values, and each adds them up. That is as many bytes as half a
 * vector there and its sum back, in one trip. Both have the same sum, as {@code a + b} is {@code b
 * + a} to the bit.
 */
public final class PairSwap implements Collective {

  private final Communicator among;
  private final Range range;
  private final float[] sums;
  private final Completion completion;

  private float[] own = {};
  private long ownSamples;

  /**
   * @param range which is reduced
   * @param sums where the sum is written
   * @param completion told of each chunk
   */
  public PairSwap(Communicator among, Range range, float[] sums, Completion completion) {
    if (among.group().size() != 2) {
      throw new IllegalArgumentException(among.group() + ": must have two members");
    }
    this.among = among;
    this.range = range;
    this.sums = sums;
    this.completion = completion;
  }

  /**
   * Begins with this member's values. They may change once it has the other's: whether the other
   * has these by then, it does not know.
   */
  public void begin(float[] values, long samples) {
    own = values;
    ownSamples = samples;
    for (int i = 0; i < range.chunks(among.chunkLength()); i++) {
      Range chunk = range.chunk(i, among.chunkLength());
      int other = 1 - among.group().position();
      among.sendPartial(other, chunk, samples, Payload.view(own, chunk));
    }
  }

  @Override
  public void receive(int from, Sum sum) {
    Vectors.sum(sums, own, sum.range().start(), sum.payload().dense());
    completion.complete(sum.range(), sum.samples() + ownSamples);
    sum.payload().release();
  }
}
