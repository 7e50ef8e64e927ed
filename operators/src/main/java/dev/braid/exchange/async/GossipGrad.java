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
 * GossipGraD: after every batch each rank sends its model to one partner, and takes the mean of its
 * own and what it is sent (Daily et al., "GossipGraD", 2018).
 *
 * <p>Partners rotate by dissemination: in step t rank i sends to rank i + 2^(t mod ⌈log2 n⌉),
 * modulo n. So in ⌈log2 n⌉ steps what one rank has computed reaches all, through others, whatever n
 * is; and where n is a power of two and ranks keep step, each gets the exact mean.
 *
 * <p>A rank sends one vector a round, however many ranks there are, and does not wait for what its
 * partner sends: that is averaged when it comes, and an absent partner is skipped. It waits where a
 * partner takes nothing, and at its staleness bound. The price is that a gradient reaches others
 * diluted, so that replicas are further apart than where every gradient reaches all.
 *
 * <p>A gradient makes a full step of the learning rate at the rank that has computed it, and a part
 * of 1/n everywhere when it has spread. The updater's state is each rank's own.
 */
public final class GossipGrad extends AsynchronousExchange {

  private final int steps;
  private final boolean[] partner;

  /** At the indices of the weights. */
  private final float[] means;

  public GossipGrad(ExchangeConfig config, Port port) {
    super(config, port, (range, samples, values) -> new Weights(range, values));
    int ranks = config.ranks();
    steps = Integer.SIZE - Integer.numberOfLeadingZeros(ranks - 1);
    partner = new boolean[ranks];
    means = new float[config.length()];
    // A rank hears of those only that it is a partner of.
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

  /** It is the turn of each of the others every few steps. */
  @Override
  long stalenessBound() {
    return (long) steps + config().options().get(ExchangeOptions.STALENESS);
  }

  /** Nothing is kept back: a model is sent with its round. */
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
      throw new IllegalArgumentException(shared + ": weights are expected");
    }
    Range range = weights.range();
    weights.payload().copyTo(means, range.start());
    Vectors.mean(means, port().model()[0], range);
    port().update(new Update.Replacement(0, range, Slice.view(means, range)));
  }
}
