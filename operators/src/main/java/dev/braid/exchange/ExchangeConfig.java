package dev.braid.exchange;

import dev.braid.vector.Range;
import java.util.List;

/**
 * What every exchange is told of its place.
 *
 * @param rank this rank, from 0
 * @param ranks how many there are
 * @param length elements of the vector, at least 1
 * @param chunkLength elements of a message at most: vectors travel in chunks, so that reducing one
 *     overlaps with receiving the next
 * @param plainChunkLength elements of a message of which none is 0, at most {@code chunkLength}: of
 *     such chunks a window is made
 * @param completedRounds rounds that were complete when the state was saved that this run goes on
 *     from; 0 in a new run
 * @param options what the user has chosen
 * @param exact parts of the vector of which nothing may be kept back: running statistics, which
 *     follow what comes, and are no sums that could come later
 */
public record ExchangeConfig(
    int rank,
    int ranks,
    int length,
    int chunkLength,
    int plainChunkLength,
    long completedRounds,
    ExchangeOptions options,
    List<Range> exact) {

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

  /** With a vector of which all parts may wait. */
  public ExchangeConfig(
      int rank,
      int ranks,
      int length,
      int chunkLength,
      long completedRounds,
      ExchangeOptions options) {
    this(rank, ranks, length, chunkLength, chunkLength, completedRounds, options, List.of());
  }

  public ExchangeConfig {
    if (ranks < 1 || rank < 0 || rank >= ranks) {
      throw new IllegalArgumentException(
          "rank " + rank + " of " + ranks + ": must be 0 <= rank < ranks");
    }
    // Which fails where no rank is left that computes.
    options.roles(ranks);
    if (length < 1 || chunkLength < 1 || plainChunkLength < 1 || plainChunkLength > chunkLength) {
      throw new IllegalArgumentException(
          ("vector of %d elements, chunks of %d, plain chunks of %d: must be at least 1, and plain "
                  + "chunks at most as long as chunks")
              .formatted(length, chunkLength, plainChunkLength));
    }
    if (completedRounds < 0) {
      throw new IllegalArgumentException(
          "completed rounds " + completedRounds + ": must be 0 or more");
    }
    exact = List.copyOf(exact);
  }

  /** Who does what. */
  public Roles roles() {
    return options.roles(ranks);
  }

  /** The same for an exchange that goes on when so many rounds are complete. */
  public ExchangeConfig after(long rounds) {
    return new ExchangeConfig(
        rank, ranks, length, chunkLength, plainChunkLength, rounds, options, exact);
  }

  /** The same for another rank among others. */
  public ExchangeConfig at(int otherRank, int otherRanks) {
    return new ExchangeConfig(
        otherRank,
        otherRanks,
        length,
        chunkLength,
        plainChunkLength,
        completedRounds,
        options,
        exact);
  }

  /** The same in chunks of sparse values. */
  public ExchangeConfig withLongerChunks() {
    int longer = (int) Math.min(Integer.MAX_VALUE, (long) SPARSE_CHUNKS * chunkLength);
    return new ExchangeConfig(
        rank, ranks, length, longer, plainChunkLength, completedRounds, options, exact);
  }

  /** The same with other options. */
  public ExchangeConfig with(ExchangeOptions other) {
    return new ExchangeConfig(
        rank, ranks, length, chunkLength, plainChunkLength, completedRounds, other, exact);
  }

  /** The same of a vector of which nothing may be kept back in some parts. */
  public ExchangeConfig withExact(List<Range> parts) {
    return new ExchangeConfig(
        rank, ranks, length, chunkLength, plainChunkLength, completedRounds, options, parts);
  }
}
