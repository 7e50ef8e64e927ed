package dev.braid.exchange.message;

/**
 * What a message carries for its transport, besides what it says. It knows of no rounds: the round
 * is in the {@link Header}, and transports tell what was sent before a roll-back from what is sent
 * after, maybe of the same round, by the generation.
 *
 * @param generation of the numbers: every roll-back begins a new one, at all ranks
 * @param number of this message among those from its origin to its destination, from 1; 0 where it
 *     is not acknowledged
 * @param isLast whether nothing follows it for now, so that it is acknowledged at once
 * @param acknowledged its origin has received all messages up to this number from its destination
 * @param route the ranks that it passes
 */
public record Transit(int generation, long number, boolean isLast, long acknowledged, Route route) {

  /** Of a message that is neither numbered nor passed on. */
  public static final Transit NONE = new Transit(0, 0, 0, Route.DIRECT);

  /** Of a message that its sender waits to have arrived: it sends nothing behind it for now. */
  public static final Transit LAST = new Transit(0, 0, true, 0, Route.DIRECT);

  /** Of a message that others may follow. */
  public Transit(int generation, long number, long acknowledged, Route route) {
    this(generation, number, false, acknowledged, route);
  }

  /** Not numbered, along a route. */
  public static Transit along(Route route) {
    return new Transit(0, 0, 0, route);
  }

  /** This one, by a rank that has received all messages up to a number. */
  public Transit acknowledging(long upTo) {
    return new Transit(generation, number, isLast, upTo, route);
  }

  /** This one, having come to one more rank. */
  public Transit at(int rank) {
    return new Transit(generation, number, isLast, acknowledged, route.then(rank));
  }
}
