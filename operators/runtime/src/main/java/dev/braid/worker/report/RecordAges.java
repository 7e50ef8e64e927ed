package dev.braid.worker.report;

import java.util.concurrent.TimeUnit;

/**
 * Times from the timestamps of a topic's records to the ends of the rounds that trained on them.
 * Quantiles are over the records of the last 15 to 30 seconds and exact to 7 percent. Times shorter
 * than 16 milliseconds are exact. Any thread may use it.
 */
public final class RecordAges {

  private static final long WINDOW_MILLIS = TimeUnit.SECONDS.toMillis(15);
  private static final double MILLIS_PER_SECOND = 1e3;

  /** Binary logarithm of the number of buckets for each power of two. */
  private static final int BUCKET_BITS = 4;

  private static final int BUCKETS = (Long.SIZE - BUCKET_BITS) << BUCKET_BITS;

  private long[] counts = new long[BUCKETS];
  private long[] countsBefore = new long[BUCKETS];
  private long windowStartMillis;

  /**
   * Adds the records of a round that is complete.
   *
   * @param timestampsMillis times of the records, in milliseconds since 1970
   * @param nowMillis the present time, in milliseconds since 1970
   */
  public synchronized void add(long[] timestampsMillis, long nowMillis) {
    turnTo(nowMillis);
    for (long timestamp : timestampsMillis) {
      // Records in Kafka's oldest format have no timestamp.
      if (timestamp >= 0) {
        // Clocks of two machines differ, so a record's timestamp may be in the future.
        counts[bucket(Math.max(0, nowMillis - timestamp))]++;
      }
    }
  }

  /**
   * Returns a quantile of the ages, in seconds; NaN if there were no records in the last 15 to 30
   * seconds.
   *
   * @param share share of the records that are not older, 0 &lt; share ≤ 1
   * @param nowMillis the present time, in milliseconds since 1970
   */
  public synchronized double quantile(double share, long nowMillis) {
    turnTo(nowMillis);
    long all = 0;
    for (int i = 0; i < BUCKETS; i++) {
      all += counts[i] + countsBefore[i];
    }
    if (all == 0) {
      return Double.NaN;
    }
    long rest = (long) Math.ceil(share * all);
    int bucket = -1;
    while (rest > 0) {
      bucket++;
      rest -= counts[bucket] + countsBefore[bucket];
    }
    return greatest(bucket) / MILLIS_PER_SECOND;
  }

  private void turnTo(long nowMillis) {
    long elapsed = nowMillis - windowStartMillis;
    if (elapsed >= WINDOW_MILLIS) {
      boolean isNext = elapsed < 2 * WINDOW_MILLIS;
      countsBefore = isNext ? counts : new long[BUCKETS];
      counts = new long[BUCKETS];
      windowStartMillis = nowMillis;
    }
  }

  /** Returns the bucket of an age: the age itself if small, else by its highest bits. */
  private static int bucket(long age) {
    int shift = Math.max(0, Long.SIZE - 1 - BUCKET_BITS - Long.numberOfLeadingZeros(age));
    return (shift << BUCKET_BITS) + (int) (age >>> shift);
  }

  private static long greatest(int bucket) {
    int shift = Math.max(0, (bucket >> BUCKET_BITS) - 1);
    long highest = bucket - ((long) shift << BUCKET_BITS);
    return ((highest + 1) << shift) - 1;
  }
}
