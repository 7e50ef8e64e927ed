package dev.braid.chaos.sim;

import dev.braid.exchange.Message;
import java.util.HashMap;
import java.util.Map;

/** Bytes and messages that were sent, by link. */
public final class Traffic {

  /**
   * Bytes of a message besides its values: from 4, to 4, kind 1, round 8, range 8, samples 8,
   * number of values 4.
   */
  public static final int HEADER_BYTES = 37;

  private final Map<Long, Count> links = new HashMap<>();

  /** The size of a message on the wire: its header and four bytes a value. */
  public static long bytes(Message message) {
    return HEADER_BYTES + (long) Float.BYTES * message.values().length();
  }

  void count(Message message) {
    links
        .computeIfAbsent(Seeds.pair(message.from(), message.to()), key -> new Count())
        .add(bytes(message));
  }

  /** Bytes that {@code from} sent to {@code to}, headers included. */
  public long bytes(int from, int to) {
    return link(from, to).bytes;
  }

  /** Messages that {@code from} sent to {@code to}. */
  public long messages(int from, int to) {
    return link(from, to).messages;
  }

  /** Bytes that a rank sent, headers included. */
  public long bytesSentBy(int rank) {
    return sentBy(rank).bytes;
  }

  /** Messages that a rank sent. */
  public long messagesSentBy(int rank) {
    return sentBy(rank).messages;
  }

  /** Values that a rank sent. */
  public long valuesSentBy(int rank) {
    Count sent = sentBy(rank);
    return (sent.bytes - sent.messages * HEADER_BYTES) / Float.BYTES;
  }

  private Count link(int from, int to) {
    return links.getOrDefault(Seeds.pair(from, to), new Count());
  }

  private Count sentBy(int rank) {
    Count sum = new Count();
    links.forEach(
        (pair, count) -> {
          if (pair >> 32 == rank) {
            sum.bytes += count.bytes;
            sum.messages += count.messages;
          }
        });
    return sum;
  }

  private static final class Count {
    private long bytes;
    private long messages;

    void add(long messageBytes) {
      bytes += messageBytes;
      messages++;
    }
  }
}
