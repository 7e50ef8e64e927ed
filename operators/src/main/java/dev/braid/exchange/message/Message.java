package dev.braid.exchange.message;

import dev.braid.vector.Range;

/** A message from one rank to another: a header with origin and destination, and a body. */
public record Message(Header header, Body body) {

  /** Size on the wire of a message with a direct route, without its values, in bytes. */
  public static final int HEADER_BYTES = Header.BYTES + BodyForm.BYTES + Integer.BYTES;

  /** Creates a message that is neither numbered nor forwarded. */
  public Message(int from, int to, long round, Body body) {
    this(from, to, round, Transit.NONE, body);
  }

  /** Creates a message from its origin or from a rank that forwards it. */
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

  /**
   * Returns the rank that the message originates from, which may differ from the one that forwarded
   * it.
   */
  public int origin() {
    return header.origin();
  }

  /** Returns the rank that the message is for, which may differ from the next hop. */
  public int destination() {
    return header.destination();
  }

  public Range range() {
    return body.range();
  }

  public Payload payload() {
    return body.payload();
  }

  /** Returns the size on the wire, in bytes. */
  public long bytes() {
    return bytes(1);
  }

  /**
   * Returns the size on the wire in bytes, if a value has another size there than it has here.
   *
   * @param scale ratio of a value's size there to its size here
   */
  public long bytes(double scale) {
    long route = (long) Integer.BYTES * transit().route().size();
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
            + from()
            + ": not a message of this exchange");
  }

  /**
   * Returns this message with other values; a message whose body has no values is returned
   * unchanged.
   */
  public Message withPayload(Payload replacement) {
    return body instanceof Body.OverRange
        ? new Message(header, body.form().read(replacement))
        : this;
  }
}
