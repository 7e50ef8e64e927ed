package dev.braid.run.pace;

import dev.braid.worker.report.LossSums;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;

/**
 * Samples a second, and their mean loss, over the last few seconds; or over the last round of each
 * rank, where rounds take longer. And samples a second over a longer time, for what is to be
 * expected.
 *
 * <p>Each rank is counted by itself. All report within milliseconds of each other when a round is
 * complete, so that a time from one report to another rank's says nothing of how long the samples
 * took.
 *
 * <p>A rank that has had nothing to report for several times as long as it mostly takes stands
 * still, and counts as nothing. When it goes on, the time in which it stood still is left out: it
 * says nothing of how fast the rank is.
 */
public final class Rate {

  private static final long RECENT_NANOS = 3_000_000_000L;
  private static final long LONG_NANOS = 30_000_000_000L;

  /** By then what is measured over the longer time leaves out as long a beginning. */
  private static final long STEADY_NANOS = 2 * LONG_NANOS;

  /** To evaluate a share of a test set takes a while, and to collect garbage, too. */
  private static final long LEAST_STILL_NANOS = 2_000_000_000L;

  /** Of the mean time between two reports. */
  private static final int TIMES_MEAN = 5;

  private final Map<Integer, OfRank> byRank = new TreeMap<>();

  /** Adds what a rank has done since its last report. Its first only says when counting began. */
  public void add(int rank, long nowNanos, long samples, double lossSum) {
    OfRank before = byRank.get(rank);
    if (before == null) {
      byRank.put(rank, new OfRank(nowNanos, samples, lossSum));
    } else {
      before.add(nowNanos, samples, lossSum);
    }
  }

  /** Whether counting has begun for a rank. */
  public boolean counts(int rank) {
    return byRank.containsKey(rank);
  }

  /** A rank that is left out does nothing more. */
  public void forget(int rank) {
    byRank.remove(rank);
  }

  /** Other ranks go on. */
  public void forgetAll() {
    byRank.clear();
  }

  /** Of all ranks together; 0 before one has reported twice, and while all stand still. */
  public double samplesPerSecond(long nowNanos) {
    return samplesPerSecond(nowNanos, RECENT_NANOS);
  }

  /** The same over a longer time, in which what is slow for a moment counts for little. */
  public double steadySamplesPerSecond(long nowNanos) {
    return samplesPerSecond(nowNanos, LONG_NANOS);
  }

  /** Whether every rank has been measured for so long that its beginning counts no more. */
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

  /** The mean loss of all samples; NaN where it is not known of any. */
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
   * What a rank did from one report to the next.
   *
   * @param nanos how long that took; 0 where it is not known
   */
  private record Step(long nanos, long samples, double lossSum) {}

  /**
   * Several steps.
   *
   * @param timedSamples those of steps of which is known how long they took
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

  /** One rank. */
  private static final class OfRank {

    private final ArrayDeque<Step> steps = new ArrayDeque<>();
    private long lastNanos;

    /** Of all steps together, and how many are timed. */
    private long nanos;

    private int timed;

    /** Since counting began, those that are no longer among the steps, too. */
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

    /** The last steps that took so long together, or all that there are. */
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
