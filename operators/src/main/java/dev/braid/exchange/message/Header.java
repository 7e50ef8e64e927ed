package dev.braid.exchange.message;

/**
 * The part that all messages have in addition to their body.
 *
 * @param from rank that sends the message on this hop
 * @param to rank that receives the message on this hop
 * @param round the sender's round, from 0, that the message {@linkplain Body#belongsToRound belongs
 *     to} or was sent in
 * @param transit fields for messages that are numbered or forwarded
 */
public record Header(int from, int to, long round, Transit transit) {

  /**
   * Size on the wire without the ranks of a route, in bytes: {@code from}, {@code to} and {@code
   * round}; then the transit's three numbers, its flag and its number of ranks.
   */
  static final int BYTES = 4 + 4 + 8 + (4 + 8 + 1 + 8 + 1);

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

  /**
   * Returns the header for the next hop: from a rank on the message's route to the following one.
   */
  public Header passedOnBy(int rank) {
    return new Header(rank, transit.route().next(rank), round, transit);
  }
}
