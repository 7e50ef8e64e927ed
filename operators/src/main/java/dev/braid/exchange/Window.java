package dev.braid.exchange;

/**
 * How much may be on its way between two ranks, and how much of it comes before the receiver says
 * so unasked.
 *
 * @param bytes of values that may be outstanding
 * @param ackBytes of values that are acknowledged as soon as they have come; fewer wait for a
 *     message that takes the acknowledgement along
 */
record Window(long bytes, long ackBytes) {

  /** For any number of messages: room is announced before the window is full. */
  static Window ofStream(int chunks, ExchangeConfig config) {
    long bytes = bytes(chunks, config);
    return new Window(bytes, bytes / 4 * 3);
  }

  /**
   * For vectors that go to and fro. One that fits is acknowledged by the one that comes back, so
   * that nobody waits for room.
   */
  static Window ofExchange(int chunks, ExchangeConfig config) {
    long bytes = bytes(chunks, config);
    boolean fits = (long) Float.BYTES * config.length() <= bytes;
    return fits ? new Window(bytes, bytes) : ofStream(chunks, config);
  }

  private static long bytes(int chunks, ExchangeConfig config) {
    return (long) chunks * Float.BYTES * config.chunkLength();
  }
}
