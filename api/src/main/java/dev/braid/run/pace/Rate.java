package dev.braid.run.pace;

import dev.braid.worker.report.LossSums;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;

/**
 * Measures the rate of training in samples per second, and their mean loss, over the last few
 * seconds or, if rounds take longer, over the last round of each rank. Also measures the rate over
 * a longer time, for estimates.
 *
 * <p>Each rank is measured separately. When a round is complete, all ranks report within
 * milliseconds of each other, so the time between the reports of two ranks says nothing about how
 * long the samples took.
 *
 * <p>A rank counts as stalled, with a rate of 0, if its last report is older than several times its
 * usual time between reports. When it resumes, the time of the stall is left out, since it says
 * nothing about the speed of the rank.
 */
public final class Rate {

  private static final long RECENT_NANOS = 3_000_000_000L;
  private static final long LONG_NANOS = 30_000_000_000L;

  /** By this time, the longer window excludes an initial period that is as long as itself. */
  private static final long STEADY_NANOS = 2 * LONG_NANOS;

  /**
   * Least time without a report that counts as a stall: evaluating a share of a test set and
   * collecting garbage take a while.
   */
  private static final long LEAST_STILL_NANOS = 2_000_000_000L;

  /** Multiple of the mean time between two reports after which a rank counts as stalled. */
  private static final int TIMES_MEAN = 5;

  private final Map<Integer, OfRank> byRank = new TreeMap<>();

  /**
   * Adds what a rank has done since its last report. The first report only starts the measurement.
   */
  public void add(int rank, long nowNanos, long samples, double lossSum) {
    OfRank before = byRank.get(rank);
    if (before == null) {
      byRank.put(rank, new OfRank(nowNanos, samples, lossSum));
    } else {
      before.add(nowNanos, samples, lossSum);
    }
  }

  /** Returns whether the measurement of a rank has started. */
  public boolean counts(int rank) {
    return byRank.containsKey(rank);
  }

  /** Forgets a rank that is excluded. */
  public void forget(int rank) {
    byRank.remove(rank);
  }

  /** Forgets all ranks, since other ones continue. */
  public void forgetAll() {
    byRank.clear();
  }

  /**
   * Returns the recent samples per second of all ranks together; 0 before a rank has reported
   * twice, and while all are stalled.
   */
  public double samplesPerSecond(long nowNanos) {
    return samplesPerSecond(nowNanos, RECENT_NANOS);
  }

  /**
   * Returns samples per second over a longer time, in which a short slow phase counts for little.
   */
  public double steadySamplesPerSecond(long nowNanos) {
    return samplesPerSecond(nowNanos, LONG_NANOS);
  }

  /**
   * Returns whether every rank has been measured for so long that its initial period does not
   * count.
   */
  public boolean isSteady() {
    return !byRank.isEmpty() && byRank.values().stream().allMatch(OfRank::isSteady);
  }

  private double samplesPerSecond(long nowNanos, long windowNanos) {
    return byRank.values().stream()
        .filter(rank -> !rank.standsStill(nowNanos))
        .map(rank -> rank.latest(windowNanos))
        .mapToDouble(sum -> sum.nanos() == 0 ? 0 : sum.timedSamples() * 1e9 / sum.nanos())
        .sum();
  }

  /**
   * Returns the recent mean loss of all samples; NaN if no rank's loss is known, and 0 without
   * samples.
   */
  public double loss() {
    long samples = 0;
    double lossSum = 0;
    for (OfRank rank : byRank.values()) {
      Sum sum = rank.latest(RECENT_NANOS);
      lossSum = LossSums.plus(lossSum, samples, sum.lossSum(), sum.samples());
      samples += sum.samples();
    }
    return samples == 0 ? 0 : lossSum / samples;
  }

  /**
   * Work of a rank from one report to the next.
   *
   * @param nanos its duration in nanoseconds; 0 if it is not known
   */
  private record Step(long nanos, long samples, double lossSum) {}

  /**
   * Sum of several steps.
   *
   * @param timedSamples samples of the steps whose duration is known
   */
  private record Sum(long nanos, long timedSamples, long samples, double lossSum) {

    Sum plus(Step step) {
      return new Sum(
          nanos + step.nanos(),
          timedSamples + (step.nanos() > 0 ? step.samples() : 0),
          samples + step.samples(),
          LossSums.plus(lossSum, samples, step.lossSum(), step.samples()));
    }
  }

  private static final class OfRank {

    private final ArrayDeque<Step> steps = new ArrayDeque<>();
    private long lastNanos;

    /** Duration of all steps together, in nanoseconds. */
    private long nanos;

    private int timed;

    /**
     * Duration since the measurement started, including steps that were removed, in nanoseconds.
     */
    private long allNanos;

    OfRank(long nowNanos, long samples, double lossSum) {
      lastNanos = nowNanos;
      steps.add(new Step(0, samples, lossSum));
    }

    void add(long nowNanos, long samples, double lossSum) {
      long taken = standsStill(nowNanos) ? 0 : nowNanos - lastNanos;
      lastNanos = nowNanos;
      steps.addLast(new Step(taken, samples, lossSum));
      nanos += taken;
      allNanos += taken;
      timed += taken > 0 ? 1 : 0;
      while (nanos - steps.getFirst().nanos() >= LONG_NANOS) {
        long gone = steps.removeFirst().nanos();
        nanos -= gone;
        timed -= gone > 0 ? 1 : 0;
      }
    }

    boolean isSteady() {
      return allNanos >= STEADY_NANOS;
    }

    boolean standsStill(long nowNanos) {
      return timed > 0
          && nowNanos - lastNanos > Math.max(LEAST_STILL_NANOS, TIMES_MEAN * nanos / timed);
    }

    /** Returns the sum of the latest steps that lasted at least this long, or of all steps. */
    Sum latest(long windowNanos) {
      Sum sum = new Sum(0, 0, 0, 0);
      for (Iterator<Step> last = steps.descendingIterator();
          last.hasNext() && sum.nanos() < windowNanos; ) {
        sum = sum.plus(last.next());
      }
      return sum;
    }
  }
}
