package dev.braid.exchange.message;

import dev.braid.exchange.message.Body.BodyForm;
import dev.braid.vector.Range;

/**
 * A message from one rank to another.
 *
 * @param from rank that sends the message on this hop
 * @param to rank that receives the message on this hop
 * @param round the sender's round, from 0, that the message {@linkplain Body#belongsToRound belongs
 *     to} or was sent in
 * @param transit fields for messages that are numbered or forwarded
 */
public record Message(int from, int to, long round, Transit transit, Body body) {

  /**
   * Size on the wire of a message with a direct route, without its values, in bytes: {@code from},
   * {@code to} and {@code round}; the transit's three numbers; one byte for its flag and the
   * encoding of the values; its number of ranks; the body's form; and the number of bytes of the
   * values. The letter around the message is not included: its kind, its incarnation and, if
   * chosen, its checksum.
   */
  public static final int HEADER_BYTES =
      (4 + 4 + 8) + (4 + 8 + 1 + 8 + 1) + BodyForm.BYTES + Integer.BYTES;

  /** Creates a message that is neither numbered nor forwarded. */
  public Message(int from, int to, long round, Body body) {
    this(from, to, round, Transit.NONE, body);
  }

  /**
   * Returns the rank that the message originates from, which may differ from the one that forwarded
   * it.
   */
  public int origin() {
    return transit.route().isDirect() ? from : transit.route().origin();
  }

  /** Returns the rank that the message is for, which may differ from the next hop. */
  public int destination() {
    return transit.route().isDirect() ? to : transit.route().destination();
  }

  public Range range() {
    return body.range();
  }

  public Payload payload() {
    return body.payload();
  }

  /** Returns the size on the wire in bytes, without the letter around the message. */
  public long bytes() {
    return bytes(1);
  }

  /**
   * Returns the size on the wire in bytes, if a value has another size there than it has here.
   *
   * @param scale ratio of a value's size there to its size here
   */
  public long bytes(double scale) {
    long route = (long) Integer.BYTES * transit.route().size();
    return HEADER_BYTES + route + Math.round(scale * body.payload().bytes());
  }

  /** Gives the memory of the values back to its owner. */
  public void release() {
    body.payload().release();
  }

  /** Returns the exception to throw if an exchange does not expect such a message. */
  public IllegalArgumentException unexpected() {
    return new IllegalArgumentException(
        body.getClass().getSimpleName()
            + " from rank "
            + from
            + ": not a message of this exchange");
  }

  /** Returns this message in another round. */
  public Message ofRound(long other) {
    return other == round ? this : new Message(from, to, other, transit, body);
  }

  /**
   * Returns this message with other values; a message whose body has no values is returned
   * unchanged.
   */
  public Message withPayload(Payload replacement) {
    return body instanceof Body.OverRange
        ? new Message(from, to, round, transit, body.form().read(replacement))
        : this;
  }

  /**
   * Returns the message for the next hop: from a rank on this message's route to the following one.
   *
   * @param content the body that the rank forwards
   */
  public Message passedOnBy(int rank, Body content) {
    return new Message(rank, transit.route().next(rank), round, transit, content);
  }
}
