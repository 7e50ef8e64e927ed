package dev.braid.exchange.transport;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.message.Payload;

/**
 * How much may be on its way between two ranks, and how much of it comes before the receiver says
 * so unasked.
 *
 * @param bytes of values that may be outstanding
 * @param ackBytes of values that are acknowledged as soon as they have come; fewer wait for a
 *     message that takes the acknowledgement along
 * @param ackMessages as many messages, whatever their values, are acknowledged as soon as they have
 *     come; less than a transport has outstanding at most
 * @param ackDelayNanos how long they wait for it
 */
public record Window(long bytes, long ackBytes, int ackMessages, long ackDelayNanos) {

  /** A quarter of a network buffer each; ten buffers are what a link of Flink's has at most. */
  public static final int CHUNKS = 32;

  /** Most of what may be outstanding where messages have few values. */
  private static final int ACK_MESSAGES = Arrivals.SPAN / 4 * 3;

  /**
   * Two thirds of the shortest time-out: most vectors come back sooner, and a timer that goes off
   * in every round costs more than the acknowledgement.
   */
  private static final long ACK_DELAY_NANOS = 16_000_000;

  public Window {
    if (ackBytes > bytes || ackMessages < 1 || ackMessages > Arrivals.SPAN) {
      throw new IllegalArgumentException(
          "a window of %d bytes, acknowledged after %d, and after %d messages of %d: a sender would wait"
              .formatted(bytes, ackBytes, ackMessages, Arrivals.SPAN));
    }
  }

  /** For any number of messages: room is announced before the window is full. */
  public static Window ofStream(ExchangeConfig config) {
    long bytes = bytes(config);
    return new Window(bytes, mostOf(bytes), ACK_MESSAGES, ACK_DELAY_NANOS);
  }

  /** For what an {@link Outbox} sends, whose own window is small: room in that is announced. */
  public static Window ofOutbox(ExchangeConfig config) {
    long bytes = bytes(config);
    return new Window(bytes, bytes, Outbox.WINDOW_MESSAGES / 2, ACK_DELAY_NANOS);
  }

  /**
   * For vectors that go to and fro. One that fits is acknowledged by the one that comes back, so
   * that nobody waits for room.
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
