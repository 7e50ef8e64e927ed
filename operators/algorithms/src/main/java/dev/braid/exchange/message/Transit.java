package dev.braid.exchange.message;

/**
 * The fields of a message that are for its transport. They do not contain the round, which is in
 * the {@link Message}. By the generation a transport distinguishes messages sent before a rollback
 * from later ones, which may belong to the same round.
 *
 * <p>The generation and the incarnation of the {@code Letter} around a message count different
 * things, and neither is derived from the other. The incarnation belongs to the loop: with every
 * checkpoint that is not declined it advances at all ranks, and letters of an older one are dropped
 * before a transport receives them. The generation belongs to the transport: it begins a numbering
 * of messages, after a rollback and also in a new view, where the incarnation stays as it is.
 *
 * @param generation generation of the numbers; every rollback and every view begins a new one at
 *     all ranks
 * @param number number of the message among those from its origin to its destination, from 1; 0 if
 *     it is not acknowledged; in probes and acknowledgements the number of a question
 * @param isLast whether the receiver acknowledges the message at once, instead of waiting for
 *     others that it can acknowledge together
 * @param acknowledged the last number up to which the origin has received all messages from the
 *     destination
 * @param route the ranks that the message passes
 */
public record Transit(int generation, long number, boolean isLast, long acknowledged, Route route) {

  /**
   * Transit of a message that is neither numbered nor forwarded, as its sender hands it to a
   * transport.
   */
  public static final Transit NONE = new Transit(0, 0, 0, Route.DIRECT);

  /** Transit of a message that is acknowledged at once. */
  public static final Transit LAST = new Transit(0, 0, true, 0, Route.DIRECT);

  /** Creates the transit of a message that others may follow. */
  public Transit(int generation, long number, long acknowledged, Route route) {
    this(generation, number, false, acknowledged, route);
  }

  /** Returns the transit of a message that is not numbered, along a route. */
  public static Transit along(Route route) {
    return new Transit(0, 0, 0, route);
  }

  /** Returns this transit with an acknowledgement of all messages up to a number. */
  public Transit acknowledging(long upTo) {
    return new Transit(generation, number, isLast, upTo, route);
  }

  /** Returns this transit with one more rank at the end of its route. */
  public Transit at(int rank) {
    return new Transit(generation, number, isLast, acknowledged, route.then(rank));
  }
}
