package dev.braid.exchange;

import java.util.Arrays;

/**
 * The ranks that a message passes, from the one that it is from to the one that it is for. Ranks on
 * the way pass it on and keep nothing.
 *
 * <p>The whole route travels with the message, as in dynamic source routing (RFC 4728), because
 * ranks on the way then need no tables that could disagree.
 */
public final class Route {

  /** The longest route, in ranks: a length goes over the wire as a byte. */
  public static final int MAX_RANKS = 255;

  /** From a message's sender straight to its receiver. */
  public static final Route DIRECT = new Route();

  private final int[] ranks;

  private Route(int... ranks) {
    if (ranks.length > MAX_RANKS) {
      throw new IllegalArgumentException(
          "route of " + ranks.length + " ranks: at most " + MAX_RANKS + " are possible");
    }
    this.ranks = ranks;
  }

  /** A route over these ranks, at least two, or none at all. */
  public static Route of(int... ranks) {
    if (ranks.length == 1) {
      throw new IllegalArgumentException("route of 1 rank: none, or 2 and more are needed");
    }
    return ranks.length == 0 ? DIRECT : new Route(ranks.clone());
  }

  /** How many ranks it names; 0 for {@link #DIRECT}. */
  public int size() {
    return ranks.length;
  }

  public int rank(int index) {
    return ranks[index];
  }

  public boolean isDirect() {
    return ranks.length == 0;
  }

  /** The rank that the message is from. */
  public int origin() {
    return ranks[0];
  }

  /** The rank that the message is for. */
  public int destination() {
    return ranks[ranks.length - 1];
  }

  public boolean contains(int rank) {
    return Arrays.stream(ranks).anyMatch(r -> r == rank);
  }

  /** Where a rank on the route sends the message next. */
  public int next(int rank) {
    for (int i = 0; i < ranks.length - 1; i++) {
      if (ranks[i] == rank) {
        return ranks[i + 1];
      }
    }
    throw new IllegalArgumentException("rank " + rank + " passes nothing on along " + this);
  }

  /** This route with one more rank at its end. */
  public Route then(int rank) {
    int[] longer = Arrays.copyOf(ranks, ranks.length + 1);
    longer[ranks.length] = rank;
    return new Route(longer);
  }

  /** A route that so far is at its first rank. */
  static Route startingAt(int rank) {
    return new Route(rank);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Route that && Arrays.equals(ranks, that.ranks);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(ranks);
  }

  @Override
  public String toString() {
    return isDirect() ? "direct" : Arrays.toString(ranks);
  }
}
