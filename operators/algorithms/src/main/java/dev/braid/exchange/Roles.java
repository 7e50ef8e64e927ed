package dev.braid.exchange;

/**
 * The roles of ranks in a run, known when the run is assembled: the first ranks compute gradients,
 * and the ranks after them only serve. In an exchange with servers, ranks that compute may also
 * serve; the exchange decides that.
 *
 * @param ranks number of ranks
 * @param workers number of ranks that compute, 1 ≤ workers ≤ ranks; they are the first ones
 */
public record Roles(int ranks, int workers) {

  public Roles {
    if (workers < 1 || workers > ranks) {
      throw new IllegalArgumentException(
          "%d ranks, %d of them dedicated: no worker is left; use more slots or fewer servers"
              .formatted(ranks, ranks - workers));
    }
  }

  /** Returns whether a rank computes gradients, and so has batches and a share of the test set. */
  public boolean computes(int rank) {
    return rank < workers;
  }

  /** Returns the number of ranks that only serve. */
  public int dedicated() {
    return ranks - workers;
  }
}
