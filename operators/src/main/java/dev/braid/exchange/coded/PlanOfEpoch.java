package dev.braid.exchange.coded;

import dev.braid.coding.Allocation;
import dev.braid.coding.CodeTree;
import dev.braid.coding.TreeInUse;
import dev.braid.cost.CodedPlan;
import dev.braid.cost.CodedPlanner;
import dev.braid.cost.GradientTimes;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.message.Payload;
import dev.braid.vector.Slice;
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
  private final SortedMap<Integer, double[]> seconds = new TreeMap<>();

  private double messageSeconds;
  private int messages;

  PlanOfEpoch(ExchangeConfig config) {
    this.workers = config.roles().workers();
    this.roundSamples =
        (int) Math.min(Integer.MAX_VALUE, (long) config.options().batch() * workers);
  }

  static double[] seconds(Payload payload) {
    if (payload.isEmpty()) {
      return new double[0];
    }
    Slice values = payload.dense();
    double[] seconds = new double[values.length()];
    for (int i = 0; i < seconds.length; i++) {
      seconds[i] = values.array()[values.offset() + i];
    }
    return seconds;
  }

  /** A rank's, which may come again. */
  void add(int rank, double[] ofRank, double itsMessageSeconds) {
    boolean isNews = seconds.put(rank, ofRank) == null;
    if (isNews && itsMessageSeconds > 0) {
      messageSeconds += itsMessageSeconds;
      messages++;
    }
  }

  boolean isComplete() {
    return seconds.size() == workers;
  }

  void forget() {
    seconds.clear();
    messageSeconds = 0;
    messages = 0;
  }

  /**
   * The tree of the next epoch; that in use where a worker's times are not known.
   *
   * @param random gives generators that all draw the same
   */
  TreeInUse choose(CodeTree inUse, Supplier<SplittableRandom> random) {
    if (seconds.values().stream().anyMatch(ofRank -> ofRank.length == 0)) {
      return chosen(inUse, Double.NaN, Double.NaN);
    }
    CodedPlanner planner =
        new CodedPlanner(
                GradientTimes.measured(seconds.values().toArray(double[][]::new)),
                messages == 0 ? 0 : messageSeconds / messages,
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

  /** A worker without samples would be one that only costs. */
  private boolean givesAllSamples(CodeTree codes) {
    return new Allocation(codes, roundSamples).leastLoad() > 0;
  }

  private static TreeInUse chosen(CodeTree codes, double seconds, double before) {
    return new TreeInUse(
        codes.tree().children(), codes.stragglers(), (float) seconds, (float) before);
  }
}
