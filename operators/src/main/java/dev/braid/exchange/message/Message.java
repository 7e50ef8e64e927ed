package dev.braid.exchange.message;

import dev.braid.vector.Range;
import dev.braid.vector.Slice;

/**
 * What one rank tells another.
 *
 * @param from rank of the sender
 * @param to rank of the receiver
 * @param kind what the message means to the exchange
 * @param round the sender's round that the message {@linkplain #belongsToRound belongs to}, or was
 *     sent in, from 0
 * @param range the part of the vector that the message is about
 * @param samples how many training samples the values sum over
 * @param values one value for each element of the range, or none at all
 * @param transit for messages that are numbered or passed on
 */
public record Message(
    int from,
    int to,
    Kind kind,
    long round,
    Range range,
    long samples,
    Slice values,
    Transit transit) {

  /** The meaning of a message. The code goes over the wire and never changes. */
  public enum Kind {
    /** A partial sum on its way to the rank or ranks that complete it. */
    REDUCE(1),
    /** A finished sum on its way to the ranks that lack it. */
    BROADCAST(2),

    // The fault-tolerant tree, in the words of its paper (ch. 6). Where metadata is about another
    // rank than its sender, that rank is in the place of the samples.

    /** A subtree's sum for the parent of its root, which is where the message's route begins. */
    DATA_REDUCE(16),
    /** The sender has sent its subtree's sum to its parent. */
    META_REDUCE_SENT(17),
    /** The sender has received the sum of the named child's subtree. */
    META_REDUCE_RECEIVED(18),
    /** The receiver shall send its subtree's sum to the sender, to be passed on. */
    META_REDUCE_REQUEST(19),
    /** A subtree's sum that the receiver shall pass on to the parent of the subtree's root. */
    DATA_REDUCE_REQUEST(20),
    /** A finished sum. */
    DATA_BCAST(21),
    /** The sender has sent the finished sum to the named child. */
    META_BCAST_SENT(22),
    /** The sender has received the finished sum. */
    META_BCAST_RECEIVED(23),

    // The fault-tolerant tree that Braid makes of it.

    /**
     * A subtree's sum, for the brother of its root, to be added to his own; or from him to the
     * parent, where it was too late for that.
     */
    BROTHER_SUM(50),
    /** The sum of a parent's two subtrees. */
    JOINT_SUM(51),
    /** The sender's sums of the message's round come to the receiver, its brother. */
    BROTHER_NEXT(52),

    // The transport. These are not numbered themselves; their number is that of the question.

    /** What has been received, in answer to a probe or unasked. */
    ACK(24),
    /** Asks for an acknowledgement along the way that the message itself took. */
    PROBE(25),
    /** Looks for a way from the beginning of its route to the rank in the place of the samples. */
    FIND(26),
    /** A way there, and from there on the way that this message has come back so far. */
    FOUND(27),
    /** Tells the rank in the place of the samples the way back that was found. */
    FOUND_BACK(28),

    // Views. The first three are not numbered, and count whatever the ranks' views are.

    /** The sender can be heard; the number of the arbiter's poll is in place of the samples. */
    HELLO(29),
    /** Asks whether the sender, which is left out of the view of this number, is heard again. */
    KNOCK(30),
    /** The answer, by a member of that view. */
    KNOCKED(31),
    /** Asks for the receiver's replica of the model. */
    COPY_REQUEST(32),
    /** A part of a replica; its vector's number is in place of the samples. */
    COPY(33),
    /** How many steps the replica's updater has taken, in place of the samples. */
    COPY_STEPS(34),

    // Exchanges in which every rank goes at its own pace.

    /** A rank's own gradient, or the sum of several, over a range. */
    GRADIENT(40),
    /**
     * What a rank owes, sent all at once; to be applied over as many rounds as it would have taken
     * otherwise.
     */
    BACKLOG(47),
    /** A message has come; the number of its values is in place of the samples. */
    ACKNOWLEDGEMENT(41),
    /** What the sender has measured; packed in place of the samples. */
    PROPOSE(42),
    /** What all go by from a round on; the number is in place of the samples. */
    ADOPT(43),
    /** The sender's weights over a range. */
    MODEL(44),

    // Parameter servers.

    /** The receiver shall send its weights over this range, when the sender may have them. */
    PULL(45),
    /**
     * The receiver shall answer the sender's pulls, up to the one whose number is in place of the
     * samples, without weights, where it may not have them.
     */
    WITHDRAW(46);

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
     * Whether it is about a replica's copy: for a rank that comes to the last round's end by it.
     */
    public boolean isOfReplica() {
      return this == COPY_REQUEST || this == COPY || this == COPY_STEPS;
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

  /** A message that is neither numbered nor passed on. */
  public Message(int from, int to, Kind kind, long round, Range range, long samples, Slice values) {
    this(from, to, kind, round, range, samples, values, Transit.NONE);
  }

  public Message {
    if (values.length() != 0 && values.length() != range.length()) {
      throw new IllegalArgumentException(
          values.length() + " values for a range of " + range.length() + " elements");
    }
  }

  /** The rank that the message comes from, whoever passed it on. */
  public int origin() {
    return transit.route().isDirect() ? from : transit.route().origin();
  }

  /** The rank that the message is for, whoever passes it on. */
  public int destination() {
    return transit.route().isDirect() ? to : transit.route().destination();
  }

  /** Whether it is about the link itself, and counts whatever its ranks are doing. */
  public boolean isAboutLink() {
    return kind == Kind.HELLO || kind == Kind.KNOCK || kind == Kind.KNOCKED;
  }

  /**
   * Whether it belongs to its round, so that it is void where that is rolled back. Others count
   * whatever the round, and only tell which their sender is in.
   */
  public boolean belongsToRound() {
    return switch (kind) {
      case ACK, PROBE, FIND, FOUND, FOUND_BACK, HELLO, KNOCK, KNOCKED -> false;
      default -> true;
    };
  }

  /** What to throw where an exchange does not use messages of this kind. */
  public IllegalArgumentException unexpected() {
    return new IllegalArgumentException(
        kind + " from rank " + from + " is no message of this exchange");
  }

  /** The same message with other values. */
  public Message withValues(Slice replacement) {
    return new Message(from, to, kind, round, range, samples, replacement, transit);
  }

  /** The same message at another point of its way. */
  public Message withTransit(Transit replacement) {
    return new Message(from, to, kind, round, range, samples, values, replacement);
  }
}
