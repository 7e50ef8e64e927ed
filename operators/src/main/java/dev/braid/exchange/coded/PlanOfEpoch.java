package dev.braid.exchange.coded;

import dev.braid.coding.Allocation;
import dev.braid.coding.CodeTree;
import dev.braid.coding.TreeInUse;
import dev.braid.cost.CodedPlan;
import dev.braid.cost.CodedPlanner;
import dev.braid.cost.GradientTimes;
import dev.braid.exchange.ExchangeConfig;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * What the root hears of all ranks' times at the end of an epoch, and the tree that follows from
 * them: that in which a round is expected to take the least time, if it is so much faster than the
 * one in use that the choice is no whim of what was measured.
 */
final class PlanOfEpoch {

  /** Another tree is taken where a round takes less than this share of the time. */
  private static final double WORTH_A_CHANGE = 0.95;

  /**
   * Enough to tell what is worth a change: all ranks wait for the choice, some tens of milliseconds
   * with twenty workers.
   */
  private static final int ROUNDS = 512;

  private final int workers;
  private final int roundSamples;

  /** By worker of whom something has been heard. */
  private final SortedMap<Integer, EpochTimes> heard = new TreeMap<>();

  PlanOfEpoch(ExchangeConfig config) {
    this.workers = config.roles().workers();
    this.roundSamples =
        (int) Math.min(Integer.MAX_VALUE, (long) config.options().batch() * workers);
  }

  /** A rank's, which may come again. */
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
   * The tree of the next epoch; that in use where a worker's times are not known.
   *
   * @param random gives generators that all draw the same
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
                random)
            .upTo(ROUNDS);
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

  /** The mean of those that know it, added in the order of ranks. */
  private double messageSeconds() {
    return heard.values().stream()
        .mapToDouble(EpochTimes::messageSeconds)
        .filter(known -> known > 0)
        .average()
        .orElse(0);
  }

  /** A worker without samples would be one that only costs. */
  private boolean givesAllSamples(CodeTree codes) {
    return Allocation.sizes(codes, roundSamples).leastLoad() > 0;
  }

  private static TreeInUse chosen(CodeTree codes, double seconds, double before) {
    return new TreeInUse(
        codes.tree().children(), codes.stragglers(), (float) seconds, (float) before);
  }
}
