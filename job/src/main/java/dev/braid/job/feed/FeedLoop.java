package dev.braid.job.feed;

import dev.braid.chaos.stream.BrokerAwayException;
import java.nio.charset.StandardCharsets;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Loop that sends samples at their rate until all are sent or a stop is requested. A sample's
 * partition is its id modulo the number of partitions, so each feed divides samples among
 * partitions in the same way, and evenly.
 *
 * @param records number of samples to send; {@link Long#MAX_VALUE} for no end
 * @param perSecond samples per second, more than 0; empty to send all at once
 * @param nanoClock a clock, in nanoseconds
 */
record FeedLoop(
    FeedSource source,
    RecordFormat format,
    long records,
    OptionalDouble perSecond,
    LongSupplier nanoClock) {

  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  /** Shortest wait, in nanoseconds; shorter waits would cost too much processor time. */
  private static final long LEAST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** Longest time between two reports of progress, in nanoseconds. */
  private static final long MOST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** A topic with several partitions. */
  @FunctionalInterface
  interface Sink {

    /**
     * Adds a record.
     *
     * @throws BrokerAwayException if records cannot be written
     */
    void add(int partition, byte[] key, byte[] value) throws BrokerAwayException;
  }

  /**
   * Sends the samples.
   *
   * @param progress receives the number of sent samples, after each sample and at least once a
   *     second
   * @return the number of samples sent
   * @throws BrokerAwayException if records cannot be written
   */
  long run(Sink sink, int partitions, FeedStop stop, LongConsumer progress)
      throws BrokerAwayException, InterruptedException {
    long startNanos = nanoClock.getAsLong();
    long sent = 0;
    while (sent < records && !stop.isRequested()) {
      long waitNanos = waitNanos(sent, nanoClock.getAsLong() - startNanos);
      if (waitNanos > 0) {
        stop.await(Math.min(Math.max(waitNanos, LEAST_WAIT_NANOS), MOST_WAIT_NANOS));
      } else {
        FedSample sample = source.next();
        sink.add(
            (int) (sample.id() % partitions),
            Long.toString(sample.id()).getBytes(StandardCharsets.UTF_8),
            format.write(sample, source.fields()));
        sent++;
      }
      progress.accept(sent);
    }
    return sent;
  }

  /**
   * Returns the time until a sample is due, in nanoseconds; 0 or less if it is due. A feed that has
   * fallen behind sends samples at once until it has caught up, so that the rate is right on
   * average.
   *
   * @param sample the sample's number, from 0
   * @param elapsedNanos time since the feed began
   */
  long waitNanos(long sample, long elapsedNanos) {
    return perSecond.isEmpty()
        ? 0
        : (long) (sample / perSecond.getAsDouble() * NANOS_PER_SECOND) - elapsedNanos;
  }
}
