package dev.braid.chaos.sim;

import dev.braid.exchange.message.Message;
import java.util.Arrays;

/** Bytes and messages that were sent, by link. */
public final class Traffic {

  private final double bytesPerElement;

  /** Bytes by sender and receiver; arrays, since a thousand ranks have a million links. */
  private final long[][] bytes;

  private final long[][] messages;

  /** Number of values by sender. */
  private final long[] values;

  Traffic(int ranks, double bytesPerElement) {
    this.bytesPerElement = bytesPerElement;
    this.bytes = new long[ranks][ranks];
    this.messages = new long[ranks][ranks];
    this.values = new long[ranks];
  }

  /** Returns the size of a message on the wire, in bytes. */
  long bytes(Message message) {
    return message.bytes(bytesPerElement / Float.BYTES);
  }

  void count(Message message) {
    bytes[message.from()][message.to()] += bytes(message);
    messages[message.from()][message.to()]++;
    values[message.from()] += message.payload().length();
  }

  /** Returns the bytes that all ranks sent, headers included. */
  public long bytes() {
    return Arrays.stream(bytes).flatMapToLong(Arrays::stream).sum();
  }

  /** Returns the bytes that {@code from} sent to {@code to}, headers included. */
  public long bytes(int from, int to) {
    return bytes[from][to];
  }

  /** Returns the number of messages that {@code from} sent to {@code to}. */
  public long messages(int from, int to) {
    return messages[from][to];
  }

  /** Returns the bytes that a rank sent, headers included. */
  public long bytesSentBy(int rank) {
    return Arrays.stream(bytes[rank]).sum();
  }

  /** Returns the number of messages that a rank sent. */
  public long messagesSentBy(int rank) {
    return Arrays.stream(messages[rank]).sum();
  }

  /** Returns the number of values that a rank sent. */
  public long valuesSentBy(int rank) {
    return values[rank];
  }
}
