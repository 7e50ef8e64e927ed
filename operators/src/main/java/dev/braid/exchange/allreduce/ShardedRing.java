package dev.braid.exchange.allreduce;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.Serving;
import dev.braid.exchange.Update;
import dev.braid.exchange.collective.Collective;
import dev.braid.exchange.collective.Communicator;
import dev.braid.exchange.collective.RingAllGather;
import dev.braid.exchange.collective.RingReduceScatter;
import dev.braid.exchange.collective.ShardedUpdate;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.List;

/**
 * The {@linkplain RingAllreduce ring} with updates sharded over the ranks (Rajbhandari et al.,
 * "ZeRO", 2020, stage 1; named as future work by "Highly Available Data Parallel ML training on
 * Mesh Networks"): after reduce-scatter each rank takes the step over its shard, and what goes
 * around the ring a second time are weights, and not sums. It sends as many bytes, makes the same
 * bits, and the updater's state, which Adam has twice the weights of, is in the job once and not
 * once a rank.
 *
 * <pre>
 *   gradients ─▶ reduce-scatter ─▶ step over the shard ─▶ all-gather of the weights
 *                                  (its owner alone)
 * </pre>
 *
 * <p>A chunk that is stepped cannot be taken back. So a round counts as {@linkplain #jointRounds()
 * joint} from its first: then all ranks have contributed, and a checkpoint waits for the rest.
 */
public final class ShardedRing extends Allreduce implements Serving {

  private final Range shard;

  public ShardedRing(ExchangeConfig config, Port port) {
    super(
        config,
        port,
        1,
        (all, vector, sums, completion) -> phases(all, vector, sums, completion, port),
        // The model has taken it, shard by shard.
        sum -> {});
    this.shard =
        RingReduceScatter.shard(Range.ofLength(config.length()), config.rank(), config.ranks());
  }

  /**
   * The operations of a round.
   *
   * @param sums has the sum over the shard, and in its place then the weights: those in the model
   *     may have changed while they are under way
   */
  private static Phases phases(
      Communicator all, Range vector, float[] sums, Collective.Completion completion, Port port) {
    ShardedUpdate update = new ShardedUpdate(port);
    Collective.Completion replace =
        (chunk, samples) -> port.update(new Update.Replacement(0, chunk, Slice.view(sums, chunk)));
    Collective.Completion step =
        (chunk, samples) ->
            update.step(chunk, Slice.view(sums, chunk), samples).copyTo(sums, chunk.start());
    RingAllGather gather =
        new RingAllGather(all.inPhase(1), vector, sums, replace.andThen(completion));
    RingReduceScatter scatter =
        new RingReduceScatter(all, vector, sums, step.andThen(completion).andThen(gather::publish));
    return new Phases(scatter::begin, List.of(scatter, gather));
  }

  @Override
  public Range served() {
    return shard;
  }

  @Override
  public long jointRounds() {
    return completedRounds() + (isPartlyFinal() ? 1 : 0);
  }

  @Override
  public boolean isThrough(long rounds) {
    return completedRounds() >= rounds;
  }

  @Override
  public void rollBack() {
    if (isPartlyFinal()) {
      throw new IllegalStateException(
          "round " + completedRounds() + " is partly applied: it cannot be rolled back");
    }
    super.rollBack();
  }
}
