package dev.braid.chaos.sim.check;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.Update;
import dev.braid.exchange.Update.GradientSum;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.ReplicaCopyBody.Request;
import dev.braid.exchange.participation.View;
import dev.braid.exchange.transport.Transport;
import dev.braid.vector.Range;
import dev.braid.vector.Vectors;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * What exchanges promise whose ranks relay each other's gradients, and where one that was left out
 * goes on with a copy of another's model: whenever all is quiet, each gradient is in each model
 * once.
 *
 * <p>For gradients whose sums are exact in any order. A model stands for the sum of what it was
 * stepped along; a copy, for what the model that it was taken of stood for when it was asked for.
 */
public final class RelayedUpdates implements UpdateCheck {

  private final int ranks;
  private final long stalenessBound;
  private final float[] computed;
  private final float[][] applied;
  private final long[] rounds;

  /** By rank: the view that it is in. */
  private final long[] views;

  /** By rank that has asked for a copy in its view: what that stands for. */
  private final Map<Integer, float[]> asked = new HashMap<>();

  private int copies;

  /**
   * Checks a run.
   *
   * @param stalenessBound by how many gradients a rank may be ahead when it begins another
   */
  public RelayedUpdates(int ranks, int length, long stalenessBound) {
    this.ranks = ranks;
    this.stalenessBound = stalenessBound;
    this.computed = new float[length];
    this.applied = new float[ranks][length];
    this.rounds = new long[ranks];
    this.views = new long[ranks];
  }

  /** How many models were copied. */
  public int copies() {
    return copies;
  }

  @Override
  public void contributing(int rank, Contribution contribution) {
    long slowest = Arrays.stream(rounds).min().orElseThrow();
    if (contribution.round() != rounds[rank] || contribution.round() > slowest + stalenessBound) {
      throw new IllegalStateException(
          "rank %d contributes to round %d after %d gradients, while the slowest has computed %d: %d fewer are allowed"
              .formatted(rank, contribution.round(), rounds[rank], slowest, stalenessBound));
    }
    rounds[rank]++;
    Vectors.add(computed, contribution.gradient(), Range.ofLength(computed.length));
  }

  @Override
  public void receiving(int rank, Message message) {
    boolean isOfView = Transport.isOfView(message.transit(), views[rank]);
    if (message.body() instanceof Request && message.destination() == rank && isOfView) {
      asked.putIfAbsent(message.origin(), applied[rank].clone());
    }
  }

  @Override
  public void entered(int rank, View view) {
    views[rank] = view.number();
    asked.remove(rank);
  }

  @Override
  public void updated(int rank, long round, Update update) {
    if (update instanceof GradientSum sum) {
      Vectors.add(applied[rank], sum.range().start(), sum.values());
    } else if (asked.containsKey(rank)) {
      applied[rank] = asked.get(rank).clone();
    } else {
      throw new IllegalStateException("rank " + rank + " asked for no copy, and gets " + update);
    }
  }

  @Override
  public void caughtUp(int rank, long round) {
    copies++;
    asked.remove(rank);
  }

  @Override
  public void quiet() {
    for (int rank = 0; rank < ranks; rank++) {
      for (int i = 0; i < computed.length; i++) {
        if (applied[rank][i] != computed[i]) {
          throw new IllegalStateException(
              "rank %d has applied %s at element %d, where %s was computed"
                  .formatted(rank, applied[rank][i], i, computed[i]));
        }
      }
    }
  }

  @Override
  public void restored(int rank) {
    views[rank] = 0;
  }
}
