package dev.braid.bench.scoring;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.function.UnaryOperator;

/** Measures how many records a system scores per second of its thread's processor time. */
final class ScoringRate {

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /**
   * Share of a turn after which the clock is read: reading it takes as long as scoring a few
   * records.
   */
  private static final double SHARE_OF_TURN = 0.02;

  private final float[][] batches;
  private final int rows;
  private final UnaryOperator<float[]> scoring;
  private int next;
  private int callsPerReading = 1;

  /**
   * Prepares a measurement.
   *
   * @param batches batches that are scored one after the other, repeatedly
   * @param rows number of records in a batch
   * @param scoring returns the scores of a batch
   */
  ScoringRate(float[][] batches, int rows, UnaryOperator<float[]> scoring) {
    this.batches = batches;
    this.rows = rows;
    this.scoring = scoring;
  }

  /**
   * Scores for at least a given time.
   *
   * @param millis processor time in milliseconds
   * @return records per second
   */
  double measure(int millis) {
    long begin = THREADS.getCurrentThreadCpuTime();
    long calls = 0;
    double sum = 0;
    double elapsed;
    do {
      for (int i = 0; i < callsPerReading; i++) {
        // The sum is used below, so that the JIT compiler cannot remove the call.
        sum += scoring.apply(batches[next])[0];
        next = (next + 1) % batches.length;
      }
      calls += callsPerReading;
      elapsed = (THREADS.getCurrentThreadCpuTime() - begin) / 1e9;
    } while (elapsed < millis / 1e3);
    if (Double.isNaN(sum)) {
      throw new IllegalStateException("a score is NaN");
    }
    callsPerReading = (int) Math.max(1, SHARE_OF_TURN * millis / 1e3 * calls / elapsed);
    return rows * calls / elapsed;
  }
}
