package dev.braid.chaos.sim.check;

import dev.braid.chaos.sim.condition.Gradients;
import dev.braid.exchange.Contribution;
import dev.braid.exchange.Update;
import dev.braid.exchange.participation.View;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Checks which batches are in which average, where ranks may be excluded from averages: a batch
 * counts for its rank if, and only if, it is in one average of a view of which the rank is a
 * member.
 */
public final class AveragedBatches implements UpdateCheck {

  /** A rank's batches. Only the copy constructor copies deeply. */
  private static final class Batches {
    final SortedMap<Long, List<Integer>> ofAverages = new TreeMap<>();
    final List<Integer> open = new ArrayList<>();
    final BitSet counted = new BitSet();
    View view;
    boolean isCurrent = true;

    /** The next average. */
    long next;

    Batches(int ranks) {
      view = View.all(ranks, 0);
    }

    Batches(Batches from) {
      from.ofAverages.forEach((average, batches) -> ofAverages.put(average, List.copyOf(batches)));
      open.addAll(from.open);
      counted.or(from.counted);
      view = from.view;
      isCurrent = from.isCurrent;
      next = from.next;
    }
  }

  private final int ranks;
  private final Batches[] all;

  /** The views that count, by their first average. */
  private final TreeMap<Long, View> views = new TreeMap<>();

  private long latestView;

  public AveragedBatches(int ranks) {
    this.ranks = ranks;
    this.all = Stream.generate(() -> new Batches(ranks)).limit(ranks).toArray(Batches[]::new);
    views.put(0L, View.all(ranks, 0));
  }

  @Override
  public void contributing(int rank, Contribution contribution) {
    all[rank].open.add((int) contribution.round());
  }

  @Override
  public void updated(int rank, long round, Update update) {
    if (update instanceof Update.Replacement && all[rank].isCurrent) {
      close(all[rank], all[rank].next++);
    }
  }

  private static void close(Batches batches, long average) {
    batches.ofAverages.put(average, List.copyOf(batches.open));
    batches.open.clear();
  }

  @Override
  public void entered(int rank, View view) {
    if (view.number() > latestView) {
      latestView = view.number();
      begin(view);
    }
    Batches its = all[rank];
    its.view = view;
    if (!its.isCurrent || view.current().contains(rank)) {
      return;
    }
    its.isCurrent = false;
    if (view.round() > its.next) {
      // The others' sum contains the rank's contribution.
      close(its, its.next);
    } else if (view.round() < its.next) {
      // The others repeat the rank's last average.
      check(view.round() == its.next - 1, rank, "has " + its.next + " averages in " + view);
      its.open.addAll(0, its.ofAverages.remove(view.round()));
    }
  }

  private void begin(View view) {
    views.tailMap(view.round(), true).clear();
    views.put(view.round(), view);
  }

  @Override
  public void caughtUp(int rank, long round) {
    Batches its = all[rank];
    check(!its.isCurrent && its.view.contains(rank), rank, "caught up in " + its.view);
    its.isCurrent = true;
    its.next = its.view.round();
  }

  @Override
  public void counts(int rank, long round) {
    check(!all[rank].counted.get((int) round), rank, "its batch " + round + " counts twice");
    all[rank].counted.set((int) round);
  }

  @Override
  public Runnable saved(int rank) {
    Batches saved = new Batches(all[rank]);
    return () -> {
      all[rank] = new Batches(saved);
      latestView = 0;
      if (saved.isCurrent) {
        begin(View.all(ranks, saved.next));
      }
    };
  }

  /** Restores a rank in a view of all ranks; one that was excluded rejoins when it resumes. */
  @Override
  public void restored(int rank) {
    long averages =
        Arrays.stream(all)
            .filter(its -> its.isCurrent)
            .mapToLong(its -> its.next)
            .max()
            .getAsLong();
    all[rank].view = View.all(ranks, averages);
  }

  /** Returns the number of batches that count. */
  public long counted() {
    return Arrays.stream(all).mapToLong(its -> its.counted.cardinality()).sum();
  }

  /**
   * Returns the model of a plain loop over the batches that count; also checks which ones do.
   *
   * @param rate factor of the outer step
   * @param momentum momentum of the outer step; with a rate of 1 and 0, models are averaged
   */
  public double[] expected(int length, Gradients gradients, double rate, double momentum) {
    long averages = 0;
    for (int rank = 0; rank < ranks; rank++) {
      check(rank, all[rank]);
      averages = Math.max(averages, all[rank].next);
    }
    double[] model = new double[length];
    double[] velocity = new double[length];
    for (long average = 0; average < averages; average++) {
      double[] sum = new double[length];
      long samples = 0;
      for (int rank = 0; rank < ranks; rank++) {
        List<Integer> batches = all[rank].ofAverages.getOrDefault(average, List.of());
        samples += addMove(sum, rank, batches, gradients);
      }
      for (int i = 0; samples > 0 && i < length; i++) {
        double move = sum[i] / samples;
        velocity[i] = momentum * velocity[i] + move;
        model[i] += rate * (move + momentum * velocity[i]);
      }
    }
    return model;
  }

  private void check(int rank, Batches its) {
    BitSet used = new BitSet();
    its.ofAverages.values().forEach(batches -> batches.forEach(used::set));
    // A rank that is excluded at the end may have trained on batches that count nowhere.
    check(its.open.isEmpty() || !its.isCurrent, rank, "batches " + its.open + " are in no average");
    check(
        used.equals(its.counted),
        rank,
        "averages have batches " + used + ", but " + its.counted + " count");
    its.ofAverages
        .keySet()
        .forEach(
            average -> {
              View view = views.floorEntry(average).getValue();
              check(view.contains(rank), rank, "is in average " + average + " of " + view);
            });
  }

  /** Adds a rank's move times its samples; returns the samples. */
  private static long addMove(double[] sum, int rank, List<Integer> batches, Gradients gradients) {
    double[] move = new double[sum.length];
    long samples = 0;
    for (int batch : batches) {
      Contribution local = gradients.of(rank, batch);
      samples += local.samples();
      for (int i = 0; local.samples() > 0 && i < move.length; i++) {
        move[i] -= (double) local.gradient()[i] / local.samples();
      }
    }
    for (int i = 0; i < move.length; i++) {
      sum[i] += move[i] * samples;
    }
    return samples;
  }

  private static void check(boolean holds, int rank, String otherwise) {
    if (!holds) {
      throw new IllegalStateException("rank " + rank + ": " + otherwise);
    }
  }
}
