package dev.braid.chaos.sim.check;

import dev.braid.worker.report.TestShare;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What ranks promise of epochs: each rank reports each epoch once, in order, when all its rounds
 * are complete, and all batches that count have been told; no batch counts twice; and all ranks end
 * after the same epoch.
 *
 * <p>A rank that is restored from after the verdict that ends training may report its last epoch
 * again.
 */
public final class EpochReports {

  private final int workers;
  private final int roundsPerEpoch;
  private final List<List<Integer>> reported = new ArrayList<>();
  private final List<Set<Integer>> before = new ArrayList<>();

  /** By epoch and rank: what was evaluated, as was reported last. */
  private final Map<Integer, Map<Integer, TestShare>> shares = new HashMap<>();

  private final long[] counted;

  /**
   * Checks a run.
   *
   * @param ranks number of ranks
   * @param workers how many of them, the first ones, compute
   * @param roundsPerEpoch 0 for a run without epochs
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
    if (!isOfOpenEpoch(rank, round)) {
      throw new IllegalStateException(
          "rank %d: the batch of round %d counts after %d epochs of %d rounds"
              .formatted(rank, round, reported.get(rank).size(), roundsPerEpoch));
    }
    counted[rank] = round;
  }

  /** Whether the epoch of a round is the next to be reported, or was before a restore. */
  private boolean isOfOpenEpoch(int rank, long round) {
    if (roundsPerEpoch == 0) {
      return true;
    }
    int epoch = (int) (round / roundsPerEpoch);
    return epoch == reported.get(rank).size() || before.get(rank).contains(epoch);
  }

  /**
   * A rank reports an epoch.
   *
   * @param share of the test set, which it has evaluated
   */
  public void reported(int rank, int epoch, long rounds, TestShare share) {
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
    shares.computeIfAbsent(epoch, key -> new HashMap<>()).put(rank, share);
  }

  /** Returns how many of the epochs were evaluated on a part of the test set only. */
  public int countPartlyEvaluated() {
    return (int) shares.keySet().stream().filter(epoch -> !isWhole(epoch)).count();
  }

  /** Whether equal parts of the test set that are all of it were evaluated after an epoch. */
  private boolean isWhole(int epoch) {
    Map<Integer, Set<Integer>> parts = new HashMap<>();
    for (TestShare share : shares.get(epoch).values()) {
      parts.computeIfAbsent(share.parts(), key -> new TreeSet<>()).add(share.part());
    }
    return parts.entrySet().stream()
        .anyMatch(of -> of.getKey() > 0 && of.getValue().size() == of.getKey());
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
