package dev.braid.connectors.lineage;

import dev.braid.learner.OffsetRange;
import java.util.List;

/**
 * The offsets of some successive rounds, dealt to the workers. A worker's batches are successive
 * parts of its share, so that each batch is a function of positions only.
 *
 * @param firstRound the first of the rounds, from 0
 * @param rounds number of rounds; at least 1
 * @param batchSize number of offsets in a worker's batch; the last batches may be shorter, or empty
 * @param shares the offsets of each worker, in the order in which it takes them
 */
public record Deal(long firstRound, int rounds, int batchSize, List<List<OffsetRange>> shares) {

  public Deal {
    shares = shares.stream().map(List::copyOf).toList();
    if (firstRound < 0 || rounds < 1 || batchSize < 1 || shares.isEmpty()) {
      throw new IllegalArgumentException(
          "a deal of %d rounds from round %d in batches of %d to %d workers: round 0 and 1 of each of the others are the least"
              .formatted(rounds, firstRound, batchSize, shares.size()));
    }
    for (List<OffsetRange> share : shares) {
      if (OffsetRange.count(share) > (long) rounds * batchSize) {
        throw new IllegalArgumentException(
            "%d offsets do not fit in %d batches of %d"
                .formatted(OffsetRange.count(share), rounds, batchSize));
      }
    }
  }

  /** Returns the number of workers. */
  public int workers() {
    return shares.size();
  }

  /** Returns the round after the last one. */
  public long endRound() {
    return firstRound + rounds;
  }

  /** Returns the offsets of a worker's batch in a round. */
  public List<OffsetRange> batch(int worker, long round) {
    return OffsetRange.slice(shares.get(worker), before(round), before(round + 1));
  }

  /** Returns the offsets of a worker's batches before a round. */
  List<OffsetRange> until(int worker, long round) {
    return OffsetRange.slice(shares.get(worker), 0, before(round));
  }

  /** Returns the offsets of a worker's batches from a round on. */
  public List<OffsetRange> rest(int worker, long round) {
    return OffsetRange.slice(
        shares.get(worker), before(Math.max(round, firstRound)), Long.MAX_VALUE);
  }

  private long before(long round) {
    return (round - firstRound) * batchSize;
  }
}
