package dev.braid.exchange.message;

import java.util.Arrays;

/**
 * The ranks that a message passes, from its origin to its destination. Ranks on the way forward the
 * message and keep no state.
 *
 * <p>The whole route travels with the message, as in dynamic source routing (RFC 4728). Ranks on
 * the way then need no routing tables, which could disagree.
 */
public final class Route {

  /** Maximum number of ranks on a route: the number is one byte on the wire. */
  public static final int MAX_RANKS = 255;

  /** Route from a message's sender directly to its receiver. */
  public static final Route DIRECT = new Route();

  private final int[] ranks;

  private Route(int... ranks) {
    if (ranks.length > MAX_RANKS) {
      throw new IllegalArgumentException(
          "route of " + ranks.length + " ranks: must be at most " + MAX_RANKS);
    }
    this.ranks = ranks;
  }

  /** Returns a route over the given ranks. A route of a single rank has just begun. */
  public static Route of(int... ranks) {
    return ranks.length == 0 ? DIRECT : new Route(ranks.clone());
  }

  /** Returns the number of ranks that the route names; 0 for {@link #DIRECT}. */
  public int size() {
    return ranks.length;
  }

  public int rank(int index) {
    return ranks[index];
  }

  public boolean isDirect() {
    return ranks.length == 0;
  }

  /** Returns the rank that the message originates from. */
  public int origin() {
    return ranks[0];
  }

  /** Returns the rank that the message is for. */
  public int destination() {
    return ranks[ranks.length - 1];
  }

  /**
   * Returns the first index of a rank on this route.
   *
   * @throws IllegalArgumentException if the rank is not on it
   */
  public int indexOf(int rank) {
    for (int i = 0; i < ranks.length; i++) {
      if (ranks[i] == rank) {
        return i;
      }
    }
    throw new IllegalArgumentException("rank " + rank + " is not on " + this);
  }

  /** Returns whether a rank is on this route at the given index or later. */
  public boolean containsFrom(int index, int rank) {
    for (int i = index; i < ranks.length; i++) {
      if (ranks[i] == rank) {
        return true;
      }
    }
    return false;
  }

  /** Returns the part of this route from one index to another, both included. */
  public Route between(int first, int last) {
    return new Route(Arrays.copyOfRange(ranks, first, last + 1));
  }

  /**
   * Returns the rank to which a rank on this route forwards the message.
   *
   * @throws IllegalArgumentException if there is none
   */
  public int next(int rank) {
    for (int i = 0; i < ranks.length - 1; i++) {
      if (ranks[i] == rank) {
        return ranks[i + 1];
      }
    }
    throw new IllegalArgumentException("rank " + rank + " has no successor on " + this);
  }

  /** Returns this route with one more rank at its end. */
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
