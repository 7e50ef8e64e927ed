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
 * RingAllGather all-gather}, chunked and pipelined. Every rank sends 2(n−1)/n of the vector,
 * whatever n is, which no allreduce can better.
 *
 * <p>Nothing is counted in steps: what comes is added and sent on at once, chunk by chunk, so
 * chunks of a block are at several ranks at a time, and those that are summed up go around once
 * more while others still gather. The order of each sum is the same for all ranks, as one rank
 * computes it for all.
 *
 * <p>Two ranks {@linkplain PairSwap swap} their gradients instead.
 *
 * <p>Latency grows with n where a tree's grows with log n: a ring suits large vectors.
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
