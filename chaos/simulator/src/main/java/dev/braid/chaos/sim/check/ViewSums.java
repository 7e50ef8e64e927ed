package dev.braid.chaos.sim.check;

import dev.braid.chaos.sim.condition.Gradients;
import dev.braid.chaos.sim.condition.MeanStep;
import dev.braid.exchange.Update;
import dev.braid.exchange.Update.GradientSum;
import dev.braid.exchange.participation.View;
import dev.braid.learner.optimiser.Step;
import dev.braid.learner.optimiser.Updater;
import dev.braid.vector.Range;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Checks the guarantees of an exchange whose ranks may be excluded. Every round's sum is over the
 * members of its view, each once. Every rank applies the rounds one by one, or gets a copy. No
 * round counts in two views, and a gradient counts for its rank if, and only if, it is in the sum.
 *
 * <p>Gradients must have sums that are exact in any order.
 */
public final class ViewSums implements UpdateCheck {

  private final Gradients gradients;
  private final int ranks;
  private final boolean isOfShards;
  private final View[] views;
  private final boolean[] current;
  private final long[] nextRound;
  private final List<BitSet> used = new ArrayList<>();

  /** View in which each round was last completed, which is the one that counts, by round. */
  private final TreeMap<Long, View> rounds = new TreeMap<>();

  /** Creates the check of a run in which all ranks begin in one view. */
  public ViewSums(Gradients gradients, int ranks) {
    this(gradients, ranks, false);
  }

  /**
   * Returns the check of a run in which a rank takes the step over its own shard and gets the other
   * weights, so that the sums show in the final model only.
   */
  public static ViewSums ofShards(Gradients gradients, int ranks) {
    return new ViewSums(gradients, ranks, true);
  }

  private ViewSums(Gradients gradients, int ranks, boolean isOfShards) {
    this.isOfShards = isOfShards;
    this.gradients = gradients;
    this.ranks = ranks;
    this.views = new View[ranks];
    this.current = new boolean[ranks];
    this.nextRound = new long[ranks];
    Arrays.fill(views, View.all(ranks, 0));
    Arrays.fill(current, true);
    for (int rank = 0; rank < ranks; rank++) {
      used.add(new BitSet());
    }
  }

  @Override
  public void updated(int rank, long round, Update update) {
    if (isOfShards) {
      return;
    }
    if (!(update instanceof GradientSum sum)) {
      check(
          !current[rank],
          () -> "rank %d gets a copy in %s though it is current".formatted(rank, views[rank]));
      return;
    }
    check(
        current[rank],
        () ->
            "rank %d applies round %d in %s, but is not current"
                .formatted(rank, round, views[rank]));
    check(
        nextRound[rank] == round,
        () -> "rank %d applies round %d, not %d".formatted(rank, round, next(rank)));
    check(
        sum.samples() == samples(round, views[rank]),
        () ->
            "rank %d, round %d: %d samples in %s"
                .formatted(rank, round, sum.samples(), views[rank]));
    check(
        Arrays.equals(sum.values().toArray(), sum(round, views[rank])),
        () -> "rank %d, round %d: wrong sum in %s".formatted(rank, round, views[rank]));
  }

  private long next(int rank) {
    return nextRound[rank];
  }

  @Override
  public void completed(int rank, long round) {
    check(
        nextRound[rank] == round,
        () -> "rank %d completes round %d, not %d".formatted(rank, round, next(rank)));
    nextRound[rank]++;
    if (current[rank]) {
      View known = rounds.getOrDefault(round, views[rank]);
      check(
          known.number() <= views[rank].number(),
          () -> "round %d is completed in %s after %s".formatted(round, views[rank], known));
      rounds.put(round, views[rank]);
    } else {
      check(
          rounds.containsKey(round),
          () -> "rank %d: no rank has completed round %d".formatted(rank, round));
    }
  }

  @Override
  public void counts(int rank, long round) {
    check(
        !used.get(rank).get((int) round),
        () -> "rank %d: its batch of round %d counts twice".formatted(rank, round));
    used.get(rank).set((int) round);
  }

  @Override
  public void entered(int rank, View view) {
    views[rank] = view;
    current[rank] = view.current().contains(rank);
  }

  @Override
  public void setBack(int rank, long round) {
    check(
        !current[rank],
        () -> "rank %d is current in %s, but is set back".formatted(rank, views[rank]));
    nextRound[rank] = round;
  }

  @Override
  public void caughtUp(int rank, long round) {
    check(
        !current[rank] && views[rank].contains(rank),
        () ->
            "rank %d has caught up in %s, but is current or excluded".formatted(rank, views[rank]));
    check(nextRound[rank] <= round, () -> "rank %d goes back to round %d".formatted(rank, round));
    current[rank] = true;
    nextRound[rank] = round;
  }

  @Override
  public Runnable saved(int rank) {
    long next = nextRound[rank];
    boolean isCurrent = current[rank];
    BitSet ofRank = (BitSet) used.get(rank).clone();
    return () -> {
      nextRound[rank] = next;
      used.set(rank, (BitSet) ofRank.clone());
      views[rank] = View.all(ranks, 0);
      current[rank] = isCurrent;
      if (isCurrent) {
        rounds.tailMap(next, true).clear();
      }
    };
  }

  /** Restores a rank that was excluded at the checkpoint to the position of the others. */
  @Override
  public void restored(int rank) {
    if (!current[rank]) {
      nextRound[rank] = Arrays.stream(nextRound).max().getAsLong();
      current[rank] = true;
    }
  }

  /** Returns whether a rank has the current model: it is in the view, and was not excluded. */
  public boolean isCurrent(int rank) {
    return current[rank];
  }

  /**
   * Returns the model that all replicas must have at the end; also checks which gradients count.
   */
  public float[] expected(int length) {
    return expected(length, MeanStep.INSTANCE);
  }

  /** Returns the model that all replicas must have at the end with this updater. */
  public float[] expected(int length, Updater updater) {
    Range whole = Range.ofLength(length);
    float[] replica = new float[length];
    float[][] state = new float[updater.stateVectors()][length];
    long[] steps = {0};
    rounds.forEach(
        (round, view) -> {
          long samples = samples(round, view);
          if (samples > 0) {
            updater.step(replica, state, 0, new Step(whole, sum(round, view), samples, steps[0]++));
          }
          for (int i = 0; i < ranks; i++) {
            int rank = i;
            check(
                used.get(rank).get(round.intValue()) == view.contains(rank),
                () ->
                    "gradient of rank %d, round %d: must count if and only if it is a member of %s"
                        .formatted(rank, round, view));
          }
        });
    return replica;
  }

  private long samples(long round, View view) {
    return view.members().stream().mapToLong(rank -> gradients.of(rank, round).samples()).sum();
  }

  private float[] sum(long round, View view) {
    float[] sum = gradients.of(view.rank(0), round).gradient();
    for (int position = 1; position < view.size(); position++) {
      float[] one = gradients.of(view.rank(position), round).gradient();
      for (int i = 0; i < sum.length; i++) {
        sum[i] += one[i];
      }
    }
    return sum;
  }

  private static void check(boolean holds, Supplier<String> otherwise) {
    if (!holds) {
      throw new IllegalStateException(otherwise.get());
    }
  }
}
