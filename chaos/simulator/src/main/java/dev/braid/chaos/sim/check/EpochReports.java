package dev.braid.chaos.sim.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What ranks promise of epochs: each rank reports each epoch once, in order, when all its rounds
 * are complete; no batch counts twice; and all ranks end after the same epoch.
 *
 * <p>A rank that is restored from after the verdict that ends training may report its last epoch
 * again.
 */
public final class EpochReports {

  private final int workers;
  private final int roundsPerEpoch;
  private final List<List<Integer>> reported = new ArrayList<>();
  private final List<Set<Integer>> before = new ArrayList<>();
  private final long[] counted;

  /**
   * Checks a run.
   *
   * @param ranks number of ranks
   * @param workers how many of them, the first ones, compute
   */
  public EpochReports(int ranks, int workers, int roundsPerEpoch) {
    this.workers = workers;
    this.roundsPerEpoch = roundsPerEpoch;
    this.counted = new long[ranks];
    Arrays.fill(counted, -1);
    for (int rank = 0; rank < ranks; rank++) {
      reported.add(new ArrayList<>());
      before.add(new TreeSet<>());
    }
  }

  /** A round of a rank counts. */
  public void counts(int rank, long round) {
    if (round <= counted[rank]) {
      throw new IllegalStateException(
          "rank %d: the batch of round %d counts after that of round %d"
              .formatted(rank, round, counted[rank]));
    }
    counted[rank] = round;
  }

  /** A rank reports an epoch. */
  public void reported(int rank, int epoch, long rounds) {
    List<Integer> own = reported.get(rank);
    if (own.contains(epoch) && before.get(rank).contains(epoch)) {
      return;
    }
    if (epoch != own.size() || rounds != (epoch + 1L) * roundsPerEpoch) {
      throw new IllegalStateException(
          "rank %d reports epoch %d after %d rounds, having reported %s"
              .formatted(rank, epoch, rounds, own));
    }
    own.add(epoch);
  }

  /** Returns what puts back what is known of a rank to what it is now. */
  public Runnable saved(int rank) {
    List<Integer> own = List.copyOf(reported.get(rank));
    long count = counted[rank];
    return () -> {
      reported.set(rank, new ArrayList<>(own));
      before.set(rank, new TreeSet<>(own));
      counted[rank] = count;
    };
  }

  /**
   * Checks the end of a run.
   *
   * @param rounds by worker: how many rounds it has completed
   * @param mayStop whether it may have ended before its last epoch
   * @param allRounds rounds of all epochs
   */
  public void ended(long[] rounds, boolean mayStop, long allRounds) {
    for (int rank = 0; rank < workers; rank++) {
      long epochs = rounds[0] / roundsPerEpoch;
      boolean isEnd = rounds[rank] == allRounds || (mayStop && rounds[rank] % roundsPerEpoch == 0);
      if (!isEnd || rounds[rank] != rounds[0] || reported.get(rank).size() != epochs) {
        throw new IllegalStateException(
            "workers end after %s rounds, of %d; rank %d has reported epochs %s"
                .formatted(Arrays.toString(rounds), allRounds, rank, reported.get(rank)));
      }
    }
  }
}
