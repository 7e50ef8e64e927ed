package dev.braid.exchange.transport;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.message.Payload;

/**
 * Limit on what may be in flight between two ranks, and thresholds at which the receiver
 * acknowledges without being asked.
 *
 * @param bytes maximum bytes of values that may be outstanding
 * @param ackBytes bytes of values that are acknowledged as soon as they have arrived; fewer wait
 *     for a message that carries the acknowledgement along
 * @param ackMessages number of messages, whatever their values, that are acknowledged as soon as
 *     they have arrived; fewer than a transport can have outstanding
 * @param ackDelayNanos how long an acknowledgement waits for a message, in nanoseconds
 */
public record Window(long bytes, long ackBytes, int ackMessages, long ackDelayNanos) {

  /**
   * Number of chunks in a window. Each is a quarter of a network buffer, and a link has at most ten
   * buffers in Flink.
   */
  public static final int CHUNKS = 32;

  /**
   * Number of messages that are acknowledged at once even if they have few values: three quarters
   * of those that may be outstanding.
   */
  private static final int ACK_MESSAGES = Arrivals.SPAN / 4 * 3;

  /**
   * Acknowledgement delay: two thirds of the shortest time-out. Most vectors come back sooner, and
   * a timer that goes off in every round costs more than the acknowledgement.
   */
  private static final long ACK_DELAY_NANOS = 16_000_000;

  public Window {
    if (ackBytes > bytes || ackMessages < 1 || ackMessages > Arrivals.SPAN) {
      throw new IllegalArgumentException(
          ("window of %d bytes, acknowledged after %d bytes or %d of %d messages: must be "
                  + "acknowledged before it is full")
              .formatted(bytes, ackBytes, ackMessages, Arrivals.SPAN));
    }
  }

  /** Returns a window for any number of messages. Room is announced before the window is full. */
  public static Window ofStream(ExchangeConfig config) {
    long bytes = bytes(config);
    return new Window(bytes, mostOf(bytes), ACK_MESSAGES, ACK_DELAY_NANOS);
  }

  /**
   * Returns a window for an {@link Outbox}, whose own window is small. Room in the outbox's window
   * is announced.
   */
  public static Window ofOutbox(ExchangeConfig config) {
    long bytes = bytes(config);
    return new Window(bytes, bytes, Flight.LEAST / 2, ACK_DELAY_NANOS);
  }

  /**
   * Returns a window for vectors that are sent back and forth. A vector that fits is acknowledged
   * by the one that comes back, so that no rank waits for room.
   */
  public static Window ofExchange(ExchangeConfig config) {
    long bytes = bytes(config);
    boolean fits = Payload.Dense.bytesOf(config.length()) <= bytes;
    return new Window(bytes, fits ? bytes : mostOf(bytes), ACK_MESSAGES, ACK_DELAY_NANOS);
  }

  private static long mostOf(long bytes) {
    return bytes / 4 * 3;
  }

  private static long bytes(ExchangeConfig config) {
    return CHUNKS * Payload.Dense.bytesOf(config.plainChunkLength());
  }
}
