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
 * Mesh Networks"). After reduce-scatter each rank takes the step over its shard, and weights
 * instead of sums go around the ring a second time. The number of bytes sent and the resulting bits
 * are the same. The updater's state, for Adam twice the size of the weights, is stored once in the
 * job instead of once per rank.
 *
 * <pre>
 *   gradients ─▶ reduce-scatter ─▶ step over the shard ─▶ all-gather of the weights
 *                                  (only by its owner)
 * </pre>
 *
 * <p>The step over a chunk cannot be undone. A round therefore counts as {@linkplain #jointRounds()
 * joint} from its first finished chunk: all ranks have contributed by then, and a checkpoint waits
 * for the remaining chunks.
 */
public final class ShardedRing extends Allreduce implements Serving {

  private final Range shard;

  public ShardedRing(ExchangeConfig config, Port port) {
    super(
        config,
        port,
        1,
        (all, vector, sums, completion) -> phases(all, vector, sums, completion, port),
        // The step has already been applied, shard by shard.
        sum -> {});
    this.shard =
        RingReduceScatter.shard(Range.ofLength(config.length()), config.rank(), config.ranks());
  }

  /**
   * Returns the operations of a round.
   *
   * @param sums receives the sum over the shard, which the weights then replace. Messages cannot be
   *     views of the model's weights, which may change while the messages are in flight
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
