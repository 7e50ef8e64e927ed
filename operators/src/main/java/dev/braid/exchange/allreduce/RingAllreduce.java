package dev.braid.exchange.allreduce;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.collective.Collective;
import dev.braid.exchange.collective.Communicator;
import dev.braid.exchange.collective.PairSwap;
import dev.braid.exchange.collective.RingAllGather;
import dev.braid.exchange.collective.RingReduceScatter;
import dev.braid.vector.Range;
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
 * <p>Two ranks {@linkplain PairSwap swap} their gradients instead.
 *
 * <p>Latency grows with n, while that of a tree grows with log n: a ring suits large vectors.
 */
public final class RingAllreduce extends Allreduce {

  public RingAllreduce(ExchangeConfig config, Port port) {
    super(config, port, RingAllreduce::phases);
  }

  private static Phases phases(
      Communicator all, Range vector, float[] sums, Collective.Completion completion) {
    if (all.group().size() == 2) {
      PairSwap swap = new PairSwap(all, vector, sums, completion);
      return new Phases(swap::begin, List.of(swap));
    }
    RingAllGather gather = new RingAllGather(all.inPhase(1), vector, sums, completion);
    RingReduceScatter scatter =
        new RingReduceScatter(all, vector, sums, completion.andThen(gather::publish));
    return new Phases(scatter::begin, List.of(scatter, gather));
  }
}
