package dev.braid.exchange.message;

import dev.braid.vector.Range;

/** What one rank tells another: where it comes from and goes to, and what it says. */
public record Message(Header header, Body body) {

  /** On the wire, of one that goes straight to its receiver: all but its values. */
  public static final int HEADER_BYTES = Header.BYTES + BodyForm.BYTES + Integer.BYTES;

  /** A message that is neither numbered nor passed on. */
  public Message(int from, int to, long round, Body body) {
    this(from, to, round, Transit.NONE, body);
  }

  /** A message of its sender's, or of one on the way. */
  public Message(int from, int to, long round, Transit transit, Body body) {
    this(new Header(from, to, round, transit), body);
  }

  public int from() {
    return header.from();
  }

  public int to() {
    return header.to();
  }

  public long round() {
    return header.round();
  }

  public Transit transit() {
    return header.transit();
  }

  /** The rank that the message comes from, whoever passed it on. */
  public int origin() {
    return header.origin();
  }

  /** The rank that the message is for, whoever passes it on. */
  public int destination() {
    return header.destination();
  }

  public Range range() {
    return body.range();
  }

  public Payload payload() {
    return body.payload();
  }

  /** What it takes on the wire. */
  public long bytes() {
    return bytes(1);
  }

  /**
   * What it takes on the wire where a value takes another size than it does here.
   *
   * @param scale how many times as much
   */
  public long bytes(double scale) {
    long route = (long) Integer.BYTES * transit().route().size();
    return HEADER_BYTES + route + Math.round(scale * body.payload().bytes());
  }

  /** Gives the memory of the values back to whom it belongs. */
  public void release() {
    body.payload().release();
  }

  /** What to throw where an exchange has no use for such a message. */
  public IllegalArgumentException unexpected() {
    return new IllegalArgumentException(
        body.getClass().getSimpleName()
            + " from rank "
            + from()
            + " is no message of this exchange");
  }

  /** The same message with other values, where it has values. */
  public Message withPayload(Payload replacement) {
    return body instanceof Body.OverRange values
        ? new Message(header, values.with(replacement))
        : this;
  }
}
