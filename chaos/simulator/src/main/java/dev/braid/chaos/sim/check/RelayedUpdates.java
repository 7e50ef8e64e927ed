package dev.braid.chaos.sim.check;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.Update;
import dev.braid.exchange.Update.GradientSum;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.ReplicaCopyBody.Steps;
import dev.braid.exchange.participation.View;
import dev.braid.exchange.transport.Transport;
import dev.braid.vector.Range;
import dev.braid.vector.Vectors;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Checks the guarantee of exchanges whose ranks relay each other's gradients, and where an excluded
 * rank continues with a copy of another's model: whenever all are quiet, each gradient is in each
 * model once.
 *
 * <p>Gradients must have sums that are exact in any order. A model stands for the sum of its steps.
 * A copy stands for the same sum as the copied model when that was read in the view that numbers
 * the copy.
 */
public final class RelayedUpdates implements UpdateCheck {

  private final int ranks;
  private final long stalenessBound;

  /** Sum of the gradients that each rank has computed. */
  private final float[][] computed;

  private final float[][] applied;
  private final long[] rounds;

  /** View of each rank. */
  private final long[] views;

  /** Sum that a rank's model stood for when it was first read in a view. */
  private final Map<Copy, float[]> read = new HashMap<>();

  /** Copy that each rank gets, by rank. */
  private final Map<Integer, Copy> copied = new HashMap<>();

  private record Copy(int source, long view) {}

  private int copies;

  /**
   * Creates the check of a run.
   *
   * @param stalenessBound maximum number of gradients by which a rank may be ahead when it begins
   *     another
   */
  public RelayedUpdates(int ranks, int length, long stalenessBound) {
    this.ranks = ranks;
    this.stalenessBound = stalenessBound;
    this.computed = new float[ranks][length];
    this.applied = new float[ranks][length];
    this.rounds = new long[ranks];
    this.views = new long[ranks];
  }

  /** Returns the number of models that were copied. */
  public int copies() {
    return copies;
  }

  @Override
  public void contributing(int rank, Contribution contribution) {
    long slowest = Arrays.stream(rounds).min().orElseThrow();
    if (contribution.round() != rounds[rank] || contribution.round() > slowest + stalenessBound) {
      throw new IllegalStateException(
          ("rank %d contributes to round %d after %d gradients, while the slowest has computed %d: "
                  + "must be at most %d fewer")
              .formatted(rank, contribution.round(), rounds[rank], slowest, stalenessBound));
    }
    rounds[rank]++;
    Vectors.add(
        computed[rank], contribution.gradient(), Range.ofLength(contribution.gradient().length));
  }

  @Override
  public void receiving(int rank, Message message) {
    boolean isOfView = Transport.isOfView(message.transit(), views[rank]);
    if (message.body() instanceof Steps steps && message.destination() == rank && isOfView) {
      copied.put(rank, new Copy(message.origin(), steps.copy()));
    }
  }

  @Override
  public void readingModel(int rank) {
    read.computeIfAbsent(new Copy(rank, views[rank]), copy -> applied[rank].clone());
  }

  @Override
  public void entered(int rank, View view) {
    views[rank] = view.number();
  }

  @Override
  public void updated(int rank, long round, Update update) {
    if (update instanceof GradientSum sum) {
      Vectors.add(applied[rank], sum.range().start(), sum.values());
    } else if (copied.containsKey(rank) && read.containsKey(copied.get(rank))) {
      applied[rank] = read.get(copied.get(rank)).clone();
    } else {
      throw new IllegalStateException(
          "rank " + rank + " receives " + update + ", which belongs to no copy");
    }
  }

  @Override
  public void caughtUp(int rank, long round) {
    copies++;
    copied.remove(rank);
  }

  @Override
  public void quiet() {
    float[] sum = new float[computed[0].length];
    for (float[] one : computed) {
      Vectors.add(sum, one, Range.ofLength(sum.length));
    }
    for (int rank = 0; rank < ranks; rank++) {
      for (int i = 0; i < sum.length; i++) {
        if (applied[rank][i] != sum[i]) {
          throw new IllegalStateException(
              "rank %d has applied %s at element %d, where %s was computed"
                  .formatted(rank, applied[rank][i], i, sum[i]));
        }
      }
    }
  }

  @Override
  public Runnable saved(int rank) {
    float[] own = computed[rank].clone();
    float[] all = applied[rank].clone();
    long count = rounds[rank];
    return () -> {
      computed[rank] = own.clone();
      applied[rank] = all.clone();
      rounds[rank] = count;
    };
  }

  @Override
  public void restored(int rank) {
    views[rank] = 0;
    copied.remove(rank);
    read.keySet().removeIf(copy -> copy.source() == rank);
  }
}
