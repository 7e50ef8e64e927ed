package dev.braid.exchange;

import dev.braid.vector.Range;
import dev.braid.vector.Slice;

/**
 * What one rank tells another.
 *
 * @param from rank of the sender
 * @param to rank of the receiver
 * @param kind what the message means to the exchange
 * @param round the sender's round that the message belongs to, from 0
 * @param range the part of the vector that the message is about
 * @param samples how many training samples the values sum over
 * @param values one value for each element of the range, or none at all
 */
public record Message(
    int from, int to, Kind kind, long round, Range range, long samples, Slice values) {

  /** The meaning of a message. The code goes over the wire and never changes. */
  public enum Kind {
    /** A partial sum on its way to the rank or ranks that complete it. */
    REDUCE(1),
    /** A finished sum on its way to the ranks that lack it. */
    BROADCAST(2),
    /** A rank's own gradient, or the sum of several, over a range. */
    GRADIENT(40),
    /** A message has come; the number of its values is in place of the samples. */
    ACKNOWLEDGEMENT(41),
    /** What the sender wants; the number is in place of the samples. */
    PROPOSE(42),
    /** What all go by from a round on; the number is in place of the samples. */
    ADOPT(43),
    /** The sender's weights over a range. */
    MODEL(44);

    private static final Kind[] BY_CODE = new Kind[256];

    static {
      for (Kind kind : values()) {
        BY_CODE[kind.code] = kind;
      }
    }

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    public int code() {
      return code;
    }

    /**
     * The kind of this code.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Kind ofCode(int code) {
      Kind kind = code >= 0 && code < BY_CODE.length ? BY_CODE[code] : null;
      if (kind == null) {
        throw new IllegalArgumentException("message kind " + code + " is not known");
      }
      return kind;
    }
  }

  public Message {
    if (values.length() != 0 && values.length() != range.length()) {
      throw new IllegalArgumentException(
          values.length() + " values for a range of " + range.length() + " elements");
    }
  }
}
