package dev.braid.exchange.allreduce;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.Serving;
import dev.braid.exchange.Update;
import dev.braid.exchange.collective.Collective.Completion;
import dev.braid.exchange.collective.Communicator;
import dev.braid.exchange.collective.ShardedUpdate;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;

/**
 * An allreduce with updates sharded over the ranks (Rajbhandari et al., "ZeRO", 2020, stage 1): a
 * rank that has the sum of all gradients over a range, its shard, takes the step there, and what is
 * gathered are weights, and not sums. It sends as many bytes, makes the same bits, and the
 * updater's state, which Adam has twice the weights of, is in the job once and not once a rank.
 *
 * <pre>
 *   gradients ─▶ reduce-scatter ─▶ step over the shard ─▶ all-gather of the weights
 *                                  (its owner alone)
 * </pre>
 *
 * <p>A chunk that is stepped cannot be taken back. So a round counts as {@linkplain #jointRounds()
 * joint} from its first: then all ranks have contributed, and a checkpoint waits for the rest.
 */
public class ShardedAllreduce extends Allreduce implements Serving {

  private final Range shard;

  /** What an algorithm is made of whose sums are replaced by weights. */
  @FunctionalInterface
  public interface Algorithm {

    /**
     * The operations of a round.
     *
     * @param all reaches all ranks, in phase 0
     * @param sums where the sum of all ranks' gradients is built, and in its place then the
     *     weights: those in the model may have changed while they are under way
     * @param step is to be told of each chunk of the shard's sum that is complete, and replaces it
     *     by weights before it is told of to {@code completion}
     * @param completion is to be told of each chunk of weights that is final at this rank
     */
    Phases phases(
        Communicator all, Range vector, float[] sums, Completion step, Completion completion);
  }

  /**
   * One rank's part.
   *
   * @param shard of which it has the sum in the end; empty if it has none
   * @param arrays for the sum, used in turn
   */
  protected ShardedAllreduce(
      ExchangeConfig config, Port port, Range shard, int arrays, Algorithm algorithm) {
    super(
        config,
        port,
        arrays,
        (all, vector, sums, completion) ->
            algorithm.phases(
                all,
                vector,
                sums,
                step(port, sums),
                replace(port, shard, sums).andThen(completion)),
        // The model has taken it, shard by shard.
        sum -> {});
    this.shard = shard;
  }

  private static Completion step(Port port, float[] sums) {
    ShardedUpdate update = new ShardedUpdate(port);
    return (chunk, samples) ->
        update.step(chunk, Slice.view(sums, chunk), samples).copyTo(sums, chunk.start());
  }

  /** Of the shard, the model has them already. */
  private static Completion replace(Port port, Range shard, float[] sums) {
    return (chunk, samples) -> {
      if (!shard.contains(chunk)) {
        port.update(new Update.Replacement(0, chunk, Slice.view(sums, chunk)));
      }
    };
  }

  @Override
  public final Range served() {
    return shard;
  }

  @Override
  public final long jointRounds() {
    return completedRounds() + (isPartlyFinal() ? 1 : 0);
  }

  @Override
  public final boolean isThrough(long rounds) {
    return completedRounds() >= rounds;
  }

  @Override
  public final void rollBack() {
    if (isPartlyFinal()) {
      throw new IllegalStateException(
          "parts of round " + completedRounds() + " are stepped: too late to roll it back");
    }
    super.rollBack();
  }
}
