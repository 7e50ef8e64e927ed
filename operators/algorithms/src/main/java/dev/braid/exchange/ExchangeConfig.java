package dev.braid.exchange;

import dev.braid.vector.Range;
import java.util.List;

/**
 * Configuration of one rank's exchange.
 *
 * @param rank this rank, 0 ≤ rank &lt; ranks
 * @param ranks number of ranks, at least 1
 * @param length number of elements of the vector, at least 1
 * @param chunkLength maximum number of elements of a message. Vectors are sent in chunks so that
 *     reducing one chunk overlaps with receiving the next
 * @param plainChunkLength maximum number of elements of a message in which none is 0, from 1 to
 *     {@code chunkLength}; windows are sized in such chunks
 * @param completedRounds number of complete rounds in the state from which this run resumes; 0 in a
 *     new run
 * @param options the user's options
 * @param exact parts of the vector of which nothing may be kept back: running statistics, which
 *     follow their inputs and are not sums that could be completed later
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
   * Maximum length, in chunks, of a message whose values are nearly all 0. With this limit, the
   * messages that an {@link dev.braid.exchange.transport.Outbox outbox} has in flight on a link fit
   * into their share of Flink's buffers, even if none of the values is 0.
   */
  public static final int SPARSE_CHUNKS = 8;

  /** Creates a configuration with the default of every option. */
  public ExchangeConfig(int rank, int ranks, int length, int chunkLength, long completedRounds) {
    this(rank, ranks, length, chunkLength, completedRounds, ExchangeOptions.defaults(ranks));
  }

  /** Creates a configuration without exact parts. */
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
    // Fails if no rank is left that computes gradients.
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

  /** Returns the roles of all ranks. */
  public Roles roles() {
    return options.roles(ranks);
  }

  /** Returns a copy for an exchange that resumes after this number of complete rounds. */
  public ExchangeConfig after(long rounds) {
    return new ExchangeConfig(
        rank, ranks, length, chunkLength, plainChunkLength, rounds, options, exact);
  }

  /** Returns a copy for another rank and number of ranks. */
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

  /** Returns a copy with chunks of the length allowed for sparse values. */
  public ExchangeConfig withLongerChunks() {
    int longer = (int) Math.min(Integer.MAX_VALUE, (long) SPARSE_CHUNKS * chunkLength);
    return new ExchangeConfig(
        rank, ranks, length, longer, plainChunkLength, completedRounds, options, exact);
  }

  /** Returns a copy with other options. */
  public ExchangeConfig with(ExchangeOptions other) {
    return new ExchangeConfig(
        rank, ranks, length, chunkLength, plainChunkLength, completedRounds, other, exact);
  }

  /** Returns a copy with these exact parts, of which nothing may be kept back. */
  public ExchangeConfig withExact(List<Range> parts) {
    return new ExchangeConfig(
        rank, ranks, length, chunkLength, plainChunkLength, completedRounds, options, parts);
  }
}
