package dev.braid.exchange.collective;

import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Sum;
import dev.braid.vector.Range;
import dev.braid.vector.Vectors;

/**
 * Allreduce of two members: they swap their values, and each adds them up. This sends as many bytes
 * as half of the vector there and its sum back, but in one trip instead of two. Both members get
 * the same sum, because {@code a + b} equals {@code b + a} to the bit.
 */
public final class PairSwap implements Collective {

  private final Communicator among;
  private final Range range;
  private final float[] sums;
  private final Completion completion;

  private float[] own = {};
  private long ownSamples;

  /**
   * Creates one member's part.
   *
   * @param range the reduced range
   * @param sums output: receives the sum over the range
   * @param completion called for each chunk
   * @throws IllegalArgumentException if the group has not exactly two members
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
   * Begins with this member's values. They may change as soon as this member has the other's
   * values, because it does not know whether the other member has received its own by then.
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
