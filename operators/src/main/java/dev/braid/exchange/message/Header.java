package dev.braid.exchange.message;

/**
 * What every message has besides what it says.
 *
 * @param from rank of the sender, of this hop
 * @param to rank of the receiver, of this hop
 * @param round the sender's round that the message {@linkplain Body#belongsToRound belongs to}, or
 *     was sent in, from 0
 * @param transit for messages that are numbered or passed on
 */
public record Header(int from, int to, long round, Transit transit) {

  /**
   * On the wire, without the ranks of a route: from, to and round; of the transit three numbers, a
   * mark and a count.
   */
  static final int BYTES = 4 + 4 + 8 + (4 + 8 + 1 + 8 + 1);

  /** The rank that the message comes from, whoever passed it on. */
  public int origin() {
    return transit.route().isDirect() ? from : transit.route().origin();
  }

  /** The rank that the message is for, whoever passes it on. */
  public int destination() {
    return transit.route().isDirect() ? to : transit.route().destination();
  }

  /** Of the next hop: from a rank on the message's route to the one behind it. */
  public Header passedOnBy(int rank) {
    return new Header(rank, transit.route().next(rank), round, transit);
  }
}
