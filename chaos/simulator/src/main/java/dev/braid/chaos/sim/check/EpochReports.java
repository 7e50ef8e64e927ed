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
 * Checks the guarantees of epochs. Each rank reports each epoch once, in order, when all its rounds
 * are complete and all batches that count have been reported; no batch counts twice; all ranks end
 * after the same epoch. Where trees are chosen again after each epoch, an epoch has one tree at all
 * ranks, even after a restore from a checkpoint before the choice.
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

  /** Latest report of what was evaluated, by epoch and rank. */
  private final Map<Integer, Map<Integer, TestShare>> shares = new HashMap<>();

  private final long[] counted;

  /**
   * Where trees are chosen again: the current epoch of each rank, or the one whose tree is chosen.
   */
  private final int[] planning;

  /** Tree of each epoch. */
  private final Map<Integer, Tree> trees = new HashMap<>();

  /**
   * Creates the check of a run.
   *
   * @param ranks number of ranks
   * @param workers number of ranks that compute, which are the first ones
   * @param isFromCheckpoint whether the run resumes from a saved run
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

  /** Checks a round of a rank that counts. */
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

  /** Returns whether the epoch of a round is the next to be reported, or was before a restore. */
  private boolean isOfOpenEpoch(int rank, long round) {
    int epoch = epochs.of(round);
    return !epochs.areThere() || isNext(rank, epoch) || before.get(rank).contains(epoch);
  }

  /**
   * Returns whether an epoch is the next that a rank reports; after a restore, the first one may be
   * any.
   */
  private boolean isNext(int rank, int epoch) {
    List<Integer> own = reported.get(rank);
    return own.isEmpty()
        ? isFromCheckpoint || epoch == epochs.first()
        : epoch == own.get(own.size() - 1) + 1;
  }

  /**
   * Checks the report of an epoch by a rank.
   *
   * @param share share of the test set that the rank has evaluated
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
   * Checks the tree of an epoch that a rank knows, or notes that it is not chosen yet.
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

  /** Returns the number of epochs whose tree differs from that of the previous epoch. */
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

  /** Returns the number of epochs that were evaluated on a part of the test set only. */
  public int countPartlyEvaluated() {
    return (int) shares.keySet().stream().filter(epoch -> !isWhole(epoch)).count();
  }

  /** Returns whether the parts that were evaluated after an epoch are the whole test set. */
  private boolean isWhole(int epoch) {
    Map<Integer, Set<Integer>> parts = new HashMap<>();
    for (TestShare share : shares.get(epoch).values()) {
      parts.computeIfAbsent(share.parts(), key -> new TreeSet<>()).add(share.part());
    }
    return parts.entrySet().stream()
        .anyMatch(of -> of.getKey() > 0 && of.getValue().size() == of.getKey());
  }

  /** Returns an action that restores the current knowledge of a rank. */
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
   * @param rounds number of rounds that each worker has completed
   * @param allRounds number of rounds of all epochs
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
