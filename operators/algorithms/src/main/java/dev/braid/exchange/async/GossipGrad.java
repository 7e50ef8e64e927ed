package dev.braid.exchange.async;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Port;
import dev.braid.exchange.Update;
import dev.braid.exchange.message.Body;
import dev.braid.exchange.message.Share.Weights;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import dev.braid.vector.Vectors;
import java.util.Arrays;

/**
 * GossipGraD: after every batch each rank sends its model to one partner, and averages its own
 * model with each model that it receives (Daily et al., "GossipGraD", 2018).
 *
 * <p>Partners rotate by dissemination: in step t rank i sends to rank i + 2^(t mod ⌈log2 n⌉),
 * modulo n. So for any n, a rank's contribution reaches all ranks in ⌈log2 n⌉ steps, through
 * others. If n is a power of two and ranks keep step, each rank gets the exact mean.
 *
 * <p>A rank sends one vector per round, regardless of the number of ranks. It does not wait for its
 * partner's model, which is averaged when it arrives, and it skips an absent partner. It does wait
 * while a link to a partner accepts nothing, and at its staleness bound. The price is that a
 * gradient reaches other ranks diluted. So replicas differ more than in exchanges that send every
 * gradient to all ranks.
 *
 * <p>A gradient makes a full step of the learning rate at the rank that has computed it, and 1/n of
 * that step everywhere when it has spread. The updater's state belongs to each rank.
 */
public final class GossipGrad extends AsynchronousExchange {

  private final int steps;
  private final boolean[] partner;

  /** Averages, at the indices of the weights; {@code float[length]}. */
  private final float[] means;

  public GossipGrad(ExchangeConfig config, Port port) {
    super(config, port, (range, samples, values) -> new Weights(range, values));
    int ranks = config.ranks();
    steps = Integer.SIZE - Integer.numberOfLeadingZeros(ranks - 1);
    partner = new boolean[ranks];
    means = new float[config.length()];
    // A rank receives messages only from ranks whose partner it is in some step.
    boolean[] heard = new boolean[ranks];
    for (int step = 0; step < steps; step++) {
      heard[Math.floorMod(config.rank() - (1 << step), ranks)] = true;
    }
    for (int rank = 0; rank < ranks; rank++) {
      if (!heard[rank] && rank != config.rank()) {
        clocks().disregard(rank);
      }
    }
  }

  /** Returns ⌈log2 n⌉ + τ, as each partner has its turn once in ⌈log2 n⌉ steps. */
  @Override
  long stalenessBound() {
    return (long) steps + config().options().get(ExchangeOptions.STALENESS);
  }

  /** Does nothing: a model is sent in its own round and is never kept back. */
  @Override
  public void flush() {}

  @Override
  void applyOwn(Contribution local) {
    Slice gradient = Slice.view(local.gradient(), whole());
    port().update(new Update.GradientSum(whole(), gradient, local.samples()));
  }

  @Override
  void share(Contribution local) {
    if (steps > 0) {
      int step = (int) (local.round() % steps);
      Arrays.fill(partner, false);
      partner[(config().rank() + (1 << step)) % config().ranks()] = true;
      outbox().post(partner, local.round(), whole(), 1, port().model()[0]);
    }
  }

  @Override
  void apply(Body.OverRange shared) {
    if (!(shared instanceof Weights weights)) {
      throw new IllegalArgumentException(shared + ": must be weights");
    }
    Range range = weights.range();
    weights.payload().copyTo(means, range.start());
    Vectors.mean(means, port().model()[0], range);
    port().update(new Update.Replacement(0, range, Slice.view(means, range)));
  }
}
