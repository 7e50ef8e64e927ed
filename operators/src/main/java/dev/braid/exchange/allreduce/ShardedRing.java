package dev.braid.exchange.allreduce;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.collective.Collective.Completion;
import dev.braid.exchange.collective.Communicator;
import dev.braid.exchange.collective.RingAllGather;
import dev.braid.exchange.collective.RingReduceScatter;
import dev.braid.vector.Range;
import java.util.List;

/** The {@linkplain RingAllreduce ring} with updates sharded over the ranks. */
public final class ShardedRing extends ShardedAllreduce {

  public ShardedRing(ExchangeConfig config, Port port) {
    super(
        config,
        port,
        RingReduceScatter.shard(Range.ofLength(config.length()), config.rank(), config.ranks()),
        1,
        ShardedRing::phases);
  }

  private static Phases phases(
      Communicator all, Range vector, float[] sums, Completion step, Completion completion) {
    RingAllGather gather = new RingAllGather(all.inPhase(1), vector, sums, completion);
    RingReduceScatter scatter =
        new RingReduceScatter(all, vector, sums, step.andThen(completion).andThen(gather::publish));
    return new Phases(scatter::begin, List.of(scatter, gather));
  }
}
