package dev.braid.exchange.message;

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

  /** A route over these ranks; one rank alone is a way that has just begun. */
  public static Route of(int... ranks) {
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

  /** Where a rank is first on this route. */
  public int indexOf(int rank) {
    for (int i = 0; i < ranks.length; i++) {
      if (ranks[i] == rank) {
        return i;
      }
    }
    throw new IllegalArgumentException("rank " + rank + " is not on " + this);
  }

  /** Whether a rank is on this route at an index or later. */
  public boolean containsFrom(int index, int rank) {
    for (int i = index; i < ranks.length; i++) {
      if (ranks[i] == rank) {
        return true;
      }
    }
    return false;
  }

  /** The part from one index to another, both included. */
  public Route between(int first, int last) {
    return new Route(Arrays.copyOfRange(ranks, first, last + 1));
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
