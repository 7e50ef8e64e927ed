package dev.braid.chaos.sim.check;

import dev.braid.chaos.sim.condition.Epochs;
import dev.braid.coding.CodeTree;
import dev.braid.worker.report.TestShare;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What ranks promise of epochs: each rank reports each epoch once, in order, when all its rounds
 * are complete, and all batches that count have been told; no batch counts twice; all ranks end
 * after the same epoch; and where trees are chosen again after each epoch, an epoch has one tree at
 * all ranks, also after a restore from a checkpoint before the choice.
 *
 * <p>A rank that is restored from after the verdict that ends training may report its last epoch
 * again.
 */
public final class EpochReports {

  /** A tree of a coded exchange, as far as it is chosen. */
  private record Tree(int children, int stragglers) {}

  private final int workers;
  private final Epochs epochs;
  private final boolean isFromCheckpoint;
  private final List<List<Integer>> reported = new ArrayList<>();
  private final List<Set<Integer>> before = new ArrayList<>();

  /** By epoch and rank: what was evaluated, as was reported last. */
  private final Map<Integer, Map<Integer, TestShare>> shares = new HashMap<>();

  private final long[] counted;

  /**
   * By rank, where trees are chosen again: the epoch that is under way, or whose tree is chosen.
   */
  private final int[] planning;

  /** By epoch: its tree. */
  private final Map<Integer, Tree> trees = new HashMap<>();

  /**
   * Checks a run.
   *
   * @param ranks number of ranks
   * @param workers how many of them, the first ones, compute
   * @param isFromCheckpoint whether the run begins where another was saved
   */
  public EpochReports(int ranks, int workers, Epochs epochs, boolean isFromCheckpoint) {
    this.workers = workers;
    this.epochs = epochs;
    this.isFromCheckpoint = isFromCheckpoint;
    this.counted = new long[ranks];
    this.planning = new int[ranks];
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
          "rank %d: the batch of round %d counts after epochs %s of %d rounds"
              .formatted(rank, round, reported.get(rank), epochs.rounds()));
    }
    counted[rank] = round;
  }

  /** Whether the epoch of a round is the next to be reported, or was before a restore. */
  private boolean isOfOpenEpoch(int rank, long round) {
    int epoch = epochs.of(round);
    return !epochs.areThere() || isNext(rank, epoch) || before.get(rank).contains(epoch);
  }

  /** Whether an epoch is the next that a rank reports; the first one may be any after a restore. */
  private boolean isNext(int rank, int epoch) {
    List<Integer> own = reported.get(rank);
    return own.isEmpty()
        ? isFromCheckpoint || epoch == epochs.first()
        : epoch == own.get(own.size() - 1) + 1;
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
    if (!isNext(rank, epoch) || rounds != epochs.roundsUntilEndOf(epoch)) {
      throw new IllegalStateException(
          "rank %d reports epoch %d after %d rounds, having reported %s"
              .formatted(rank, epoch, rounds, own));
    }
    own.add(epoch);
    shares.computeIfAbsent(epoch, key -> new HashMap<>()).put(rank, share);
  }

  /**
   * A rank knows the tree of an epoch, or that it is not chosen yet.
   *
   * @param beforeEpoch the next epoch, if the tree is known; otherwise the one whose tree is chosen
   */
  public void planned(int rank, Optional<CodeTree> codes, int beforeEpoch) {
    if (rank >= workers) {
      // A root that computes nothing has no epochs.
      return;
    }
    int epoch = codes.isPresent() ? beforeEpoch - 1 : beforeEpoch;
    planning[rank] = epoch;
    codes.ifPresent(
        known -> {
          Tree tree = new Tree(known.tree().children(), known.stragglers());
          Tree before = trees.putIfAbsent(epoch, tree);
          if (before != null && !before.equals(tree)) {
            throw new IllegalStateException(
                "rank %d: epoch %d has %s, but had %s".formatted(rank, epoch, tree, before));
          }
        });
  }

  /** Returns how many epochs have another tree than the one before. */
  public int countOtherTrees() {
    return (int)
        trees.entrySet().stream()
            .filter(of -> !trees.getOrDefault(of.getKey() - 1, of.getValue()).equals(of.getValue()))
            .count();
  }

  /** Returns the epochs that have been reported, by rank. */
  public List<List<Integer>> reported() {
    return reported.stream().map(List::copyOf).toList();
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
    int epoch = planning[rank];
    return () -> {
      reported.set(rank, new ArrayList<>(own));
      before.set(rank, new TreeSet<>(own));
      counted[rank] = count;
      planning[rank] = epoch;
      // A checkpoint between the end of an epoch and the choice leads to the same choice.
      trees.keySet().removeIf(of -> of > Arrays.stream(planning).max().orElseThrow());
    };
  }

  /**
   * Checks the end of a run.
   *
   * @param rounds by worker: how many rounds it has completed
   * @param allRounds rounds of all epochs
   */
  public void ended(long[] rounds, long allRounds) {
    for (int rank = 0; rank < workers; rank++) {
      long last = rounds[rank] - 1;
      boolean isEnd = rounds[rank] == allRounds || (epochs.mayStop() && epochs.endWith(last));
      List<Integer> own = reported.get(rank);
      boolean hasReported =
          own.isEmpty() ? isFromCheckpoint : own.get(own.size() - 1) == epochs.of(last);
      if (!isEnd || rounds[rank] != rounds[0] || !hasReported) {
        throw new IllegalStateException(
            "workers end after %s rounds, of %d; rank %d has reported epochs %s"
                .formatted(Arrays.toString(rounds), allRounds, rank, reported.get(rank)));
      }
    }
  }
}
