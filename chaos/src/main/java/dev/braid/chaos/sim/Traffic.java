package dev.braid.chaos.sim;

import dev.braid.exchange.Message;
import java.util.HashMap;
import java.util.Map;

/** Bytes and messages that were sent, by link. */
public final class Traffic {

  /**
   * Bytes of a message besides its values and the ranks of its route: from 4, to 4, kind 1, round
   * 8, range 8, samples 8, transit 21, number of values 4.
   */
  public static final int HEADER_BYTES = 58;

  private final double bytesPerElement;
  private final Map<Long, Count> links = new HashMap<>();
  private final Count all = new Count();

  Traffic(double bytesPerElement) {
    this.bytesPerElement = bytesPerElement;
  }

  /**
   * The size of a message on the wire: its header, its values, and four bytes a rank on the way.
   */
  long bytes(Message message) {
    long values = Math.round(bytesPerElement * message.values().length());
    return HEADER_BYTES + values + Float.BYTES * (long) message.transit().route().size();
  }

  void count(Message message) {
    long bytes = bytes(message);
    all.add(message, bytes);
    links
        .computeIfAbsent(Seeds.pair(message.from(), message.to()), key -> new Count())
        .add(message, bytes);
  }

  /** Bytes that all ranks sent, headers included. */
  public long bytes() {
    return all.bytes;
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
    return sentBy(rank).values;
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
            sum.values += count.values;
          }
        });
    return sum;
  }

  private static final class Count {
    private long bytes;
    private long messages;
    private long values;

    void add(Message message, long size) {
      bytes += size;
      messages++;
      values += message.values().length();
    }
  }
}
