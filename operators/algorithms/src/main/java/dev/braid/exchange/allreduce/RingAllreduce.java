package dev.braid.exchange.allreduce;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.collective.Collective;
import dev.braid.exchange.collective.Communicator;
import dev.braid.exchange.collective.RingAllGather;
import dev.braid.exchange.collective.RingReduceScatter;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Sum;
import dev.braid.vector.Range;
import dev.braid.vector.Vectors;
import java.util.List;

/**
 * Bandwidth-optimal ring allreduce: {@linkplain RingReduceScatter reduce-scatter}, then {@linkplain
 * RingAllGather all-gather}, chunked and pipelined. Every rank sends 2(n−1)/n of the vector, the
 * minimum of any allreduce.
 *
 * <p>The ring does not proceed in lockstep: each chunk is added and passed on as soon as it
 * arrives. Chunks of a block are thus at several ranks at the same time, and finished chunks go
 * around a second time while others are still being summed. Each sum is the same at all ranks,
 * because one rank computes it for all.
 *
 * <p>Two ranks swap their gradients instead.
 *
 * <p>Latency grows with n, while that of a tree grows with log n: a ring suits large vectors.
 */
public final class RingAllreduce extends Allreduce {

  public RingAllreduce(ExchangeConfig config, Port port) {
    super(config, port, RingAllreduce::phases);
  }

  private static Phases phases(
      Communicator all, Range vector, float[] sums, Collective.Completion completion) {
    if (all.size() == 2) {
      Swap swap = new Swap(all, vector, sums, completion);
      return new Phases(swap::begin, List.of(swap));
    }
    RingAllGather gather = new RingAllGather(all.inPhase(1), vector, sums, completion);
    RingReduceScatter scatter =
        new RingReduceScatter(all, vector, sums, completion.andThen(gather::publish));
    return new Phases(scatter::begin, List.of(scatter, gather));
  }

  /**
   * Allreduce of two ranks: they swap their values, and each adds them up. This sends as many bytes
   * as half of the vector there and its sum back, but in one trip instead of two. Both ranks get
   * the same sum, because {@code a + b} equals {@code b + a} to the bit.
   */
  private static final class Swap implements Collective {

    private final Communicator both;
    private final Range vector;
    private final float[] sums;
    private final Completion completion;

    private float[] own = {};
    private long ownSamples;

    Swap(Communicator both, Range vector, float[] sums, Completion completion) {
      this.both = both;
      this.vector = vector;
      this.sums = sums;
      this.completion = completion;
    }

    /**
     * Begins with this rank's values. They are copied to be sent. This rank's round ends when it
     * has the other rank's values, and its own may change from then on, although the other rank may
     * not have received them yet.
     */
    void begin(float[] values, long samples) {
      own = values;
      ownSamples = samples;
      int other = 1 - both.position();
      for (int i = 0; i < vector.chunks(both.chunkLength()); i++) {
        Range chunk = vector.chunk(i, both.chunkLength());
        both.sendPartial(other, chunk, samples, Payload.view(own, chunk));
      }
    }

    @Override
    public void receive(int from, Sum sum) {
      Vectors.sum(sums, own, sum.range().start(), sum.payload().dense());
      completion.complete(sum.range(), sum.samples() + ownSamples);
      sum.payload().release();
    }
  }
}
