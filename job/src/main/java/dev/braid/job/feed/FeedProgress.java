package dev.braid.job.feed;

import dev.braid.job.console.Terminal;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Display of the number of sent records, updated once a second on a terminal. Files and pipes
 * receive no lines.
 */
final class FeedProgress implements LongConsumer {

  private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Terminal terminal;
  private final long records;
  private final LongSupplier nanoClock;
  private long shownNanos;
  private long shownRecords;

  /**
   * Creates a display.
   *
   * @param records number of records to send; {@link Long#MAX_VALUE} for no end
   */
  FeedProgress(Terminal terminal, long records, LongSupplier nanoClock) {
    this.terminal = terminal;
    this.records = records;
    this.nanoClock = nanoClock;
    this.shownNanos = nanoClock.getAsLong();
  }

  @Override
  public void accept(long sent) {
    if (!terminal.isInteractive()) {
      return;
    }
    long nanos = nanoClock.getAsLong() - shownNanos;
    if (nanos < INTERVAL_NANOS) {
      return;
    }
    String of = records == Long.MAX_VALUE ? "" : String.format(Locale.ROOT, " of %,d", records);
    terminal.update(
        String.format(
            Locale.ROOT,
            "%,d%s records, %,d a second",
            sent,
            of,
            Math.round((sent - shownRecords) * 1e9 / nanos)));
    shownNanos += nanos;
    shownRecords = sent;
  }
}
