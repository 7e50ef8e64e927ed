package dev.braid.exchange;

/**
 * What every exchange is told of its place.
 *
 * @param rank this rank, from 0
 * @param ranks how many there are
 * @param length elements of the vector, at least 1
 * @param chunkLength elements of a message at most: vectors travel in chunks, so that reducing one
 *     overlaps with receiving the next
 * @param completedRounds rounds that were complete when the state was saved that this run goes on
 *     from; 0 in a new run
 * @param options what the user has chosen
 */
public record ExchangeConfig(
    int rank,
    int ranks,
    int length,
    int chunkLength,
    long completedRounds,
    ExchangeOptions options) {

  /**
   * How many chunks a message may be long whose values are nearly all 0. What an {@link
   * dev.braid.exchange.transport.Outbox outbox} has under way on a link fills no more of Flink's
   * buffers then than it may, even where none is 0.
   */
  public static final int SPARSE_CHUNKS = 8;

  /** With the options' defaults. */
  public ExchangeConfig(int rank, int ranks, int length, int chunkLength, long completedRounds) {
    this(rank, ranks, length, chunkLength, completedRounds, ExchangeOptions.defaults(ranks));
  }

  public ExchangeConfig {
    if (ranks < 1 || rank < 0 || rank >= ranks) {
      throw new IllegalArgumentException(
          "rank " + rank + " of " + ranks + ": 0 <= rank < ranks is needed");
    }
    // Which fails where no rank is left that computes.
    options.roles(ranks);
    if (length < 1 || chunkLength < 1) {
      throw new IllegalArgumentException(
          "vector of " + length + " in chunks of " + chunkLength + ": both must be at least 1");
    }
    if (completedRounds < 0) {
      throw new IllegalArgumentException("completed rounds " + completedRounds + " is negative");
    }
  }

  /** Who does what. */
  public Roles roles() {
    return options.roles(ranks);
  }

  /** The same for an exchange that goes on when so many rounds are complete. */
  public ExchangeConfig after(long rounds) {
    return new ExchangeConfig(rank, ranks, length, chunkLength, rounds, options);
  }

  /** The same in chunks of sparse values. */
  public ExchangeConfig withLongerChunks() {
    int longer = (int) Math.min(Integer.MAX_VALUE, (long) SPARSE_CHUNKS * chunkLength);
    return new ExchangeConfig(rank, ranks, length, longer, completedRounds, options);
  }
}
