package dev.braid.exchange;

/**
 * Who does what in a run, known when it is assembled: the first ranks compute gradients, and those
 * behind them only serve. (Where there are servers at all, those that compute may serve, too: that
 * is the exchange's affair.)
 *
 * @param ranks how many there are
 * @param workers how many of them compute: the first ones
 */
public record Roles(int ranks, int workers) {

  public Roles {
    if (workers < 1 || workers > ranks) {
      throw new IllegalArgumentException(
          "%d ranks, %d of them dedicated: no worker is left; use more slots or fewer servers"
              .formatted(ranks, ranks - workers));
    }
  }

  /** Whether a rank computes gradients, has batches, and a share of the test set. */
  public boolean computes(int rank) {
    return rank < workers;
  }

  /** How many ranks only serve. */
  public int dedicated() {
    return ranks - workers;
  }
}
