package dev.braid.exchange.coded;

import dev.braid.coding.Allocation;
import dev.braid.coding.CodeTree;
import dev.braid.coding.TreeInUse;
import dev.braid.cost.CodedPlanner;
import dev.braid.cost.CodedPlanner.CodedPlan;
import dev.braid.cost.GradientTimes;
import dev.braid.exchange.ExchangeConfig;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The times that the root receives from all workers at the end of an epoch, and its choice of the
 * next tree. The root chooses the tree with the shortest expected round. It keeps the tree in use
 * unless the other one is faster by more than measurements fluctuate.
 */
final class PlanOfEpoch {

  /** Ratio of expected round times, new tree to tree in use, below which the tree changes. */
  private static final double WORTH_A_CHANGE = 0.95;

  /**
   * Rounds that are drawn for the best trees: enough to recognise a worthwhile change. All ranks
   * wait for the choice, which takes some tens of milliseconds with twenty workers.
   */
  private static final int ROUNDS = 512;

  private final int workers;
  private final int roundSamples;

  /** Times by worker, for the workers that have reported. */
  private final SortedMap<Integer, EpochTimes> heard = new TreeMap<>();

  PlanOfEpoch(ExchangeConfig config) {
    this.workers = config.roles().workers();
    this.roundSamples =
        (int) Math.min(Integer.MAX_VALUE, (long) config.options().batch() * workers);
  }

  /** Adds a worker's times. Idempotent. */
  void add(int rank, EpochTimes ofRank) {
    heard.put(rank, ofRank);
  }

  boolean isComplete() {
    return heard.size() == workers;
  }

  void forget() {
    heard.clear();
  }

  /**
   * Returns the tree of the next epoch: the tree in use if any worker's times are unknown.
   *
   * @param random supplies generators that all draw the same numbers
   */
  TreeInUse choose(CodeTree inUse, Supplier<SplittableRandom> random) {
    if (heard.values().stream().anyMatch(ofRank -> ofRank.seconds().length == 0)) {
      return chosen(inUse, Double.NaN, Double.NaN);
    }
    CodedPlanner planner =
        new CodedPlanner(
            GradientTimes.measured(
                heard.values().stream().map(EpochTimes::inDoubles).toArray(double[][]::new)),
            messageSeconds(),
            random,
            ROUNDS);
    CodedPlan before = planner.measure(inUse);
    CodedPlan best = planner.plan(workers);
    if (!givesAllSamples(best.codes())) {
      List<CodeTree> possible =
          CodedPlanner.candidates(workers).stream().filter(this::givesAllSamples).toList();
      best = possible.isEmpty() ? before : planner.plan(possible);
    }
    return best.seconds() < WORTH_A_CHANGE * before.seconds()
        ? chosen(best.codes(), best.seconds(), before.seconds())
        : chosen(inUse, before.seconds(), before.seconds());
  }

  /**
   * Returns the mean of the known times to receive an answer, in seconds, added in rank order; 0 if
   * none is known.
   */
  private double messageSeconds() {
    return heard.values().stream()
        .mapToDouble(EpochTimes::messageSeconds)
        .filter(known -> known > 0)
        .average()
        .orElse(0);
  }

  /** Returns whether every worker gets samples: a worker without samples only costs time. */
  private boolean givesAllSamples(CodeTree codes) {
    return Allocation.sizes(codes, roundSamples).leastLoad() > 0;
  }

  private static TreeInUse chosen(CodeTree codes, double seconds, double before) {
    return new TreeInUse(
        codes.tree().children(), codes.stragglers(), (float) seconds, (float) before);
  }
}
