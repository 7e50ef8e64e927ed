package dev.braid.connectors.stream;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.lineage.Deal;
import dev.braid.learner.OffsetRange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The offsets that were dealt to each worker, and the decision what is dealt next. It is pure, so
 * that every kind of failure and restore uses the same arithmetic.
 *
 * <p>A deal consists of full rounds, as many as the stream has and one deal may have. If the stream
 * has less than a round and its records have waited long enough, the deal is one short round. It
 * depends only on earlier deals and on the ends of partitions.
 */
public final class DealBook {

  private final int workers;
  private final int batchSize;
  private final Backlog backlog = new Backlog();

  /** Deals that may have to be sent to a worker again, in the order of their rounds. */
  private final Deque<Deal> kept = new ArrayDeque<>();

  private long nextRound;

  /**
   * Creates a book without deals.
   *
   * @param workers number of workers that share a round
   * @param batchSize number of offsets in a worker's batch
   */
  public DealBook(int workers, int batchSize) {
    this.workers = workers;
    this.batchSize = batchSize;
  }

  /** Adds a partition, unless it is known. */
  public void addPartition(int partition, long start) {
    backlog.addPartition(partition, start);
  }

  /** Returns the first offset of each partition that was never dealt. */
  public SortedMap<Integer, Long> next() {
    return new TreeMap<>(backlog.next());
  }

  /** Returns offsets before {@link #next} that must be dealt again. */
  public List<OffsetRange> returned() {
    return backlog.returned();
  }

  /** Returns the first round that is not dealt. */
  public long nextRound() {
    return nextRound;
  }

  /** Returns the kept deals, in the order of their rounds. */
  public List<Deal> deals() {
    return List.copyOf(kept);
  }

  // ---- dealing ---------------------------------------------------------------------------------

  /**
   * Deals the next rounds, if there are enough offsets.
   *
   * @param ends the offset after the last one of each partition
   * @param mayBeShort whether less than a full round is enough
   * @param mostRounds highest number of rounds in the deal
   */
  public Optional<Deal> deal(Map<Integer, Long> ends, boolean mayBeShort, int mostRounds) {
    long pending = backlog.count(ends);
    long round = (long) workers * batchSize;
    int full = (int) Math.min(mostRounds, pending / round);
    if (mostRounds == 0 || pending == 0 || (full == 0 && !mayBeShort)) {
      return Optional.empty();
    }
    int rounds = Math.max(1, full);
    List<OffsetRange> taken = backlog.take(Math.min(pending, rounds * round), ends);
    long count = OffsetRange.count(taken);
    List<List<OffsetRange>> shares = new ArrayList<>();
    for (int worker = 0; worker < workers; worker++) {
      long from = count * worker / workers;
      shares.add(OffsetRange.slice(taken, from, count * (worker + 1) / workers));
    }
    Deal deal = new Deal(nextRound, rounds, batchSize, shares);
    add(deal);
    return Optional.of(deal);
  }

  /** Returns the number of offsets before these ends that are not dealt. */
  public long undealt(Map<Integer, Long> ends) {
    return backlog.count(ends);
  }

  /** Returns whether all offsets before these ends are dealt. */
  public boolean isAllDealt(Map<Integer, Long> ends) {
    return backlog.count(ends) == 0;
  }

  private void add(Deal deal) {
    if (deal.firstRound() != nextRound) {
      throw new InvalidDataException(
          "the lineage has a deal of round %d where round %d is next"
              .formatted(deal.firstRound(), nextRound));
    }
    kept.add(deal);
    nextRound = deal.endRound();
    deal.shares().forEach(backlog::dealt);
  }

  /** Removes deals whose rounds are all before this one, because no worker can return to them. */
  public void forgetBefore(long round) {
    while (!kept.isEmpty() && kept.getFirst().endRound() <= round) {
      kept.removeFirst();
    }
  }

  // ---- restoring -------------------------------------------------------------------------------

  /**
   * Restores the state of a checkpoint.
   *
   * @param round first round that was not dealt
   * @param next first offset of each partition that was never dealt
   * @param returned earlier offsets that were to be dealt again
   * @param deals deals that may have to be sent to workers again
   */
  public void restore(
      long round,
      Map<Integer, Long> next,
      Collection<OffsetRange> returned,
      Collection<Deal> deals) {
    next.forEach(backlog::addPartition);
    backlog.giveBack(returned);
    kept.addAll(deals);
    nextRound = round;
  }

  /**
   * Continues with the current workers. If their number and their batches are unchanged, each
   * continues with its deals. Otherwise offsets that previous workers had not used are dealt again,
   * from the first round that none of these workers has begun.
   *
   * @param rounds for each previous worker, the first round whose batch it has not used
   * @param later deals that were made after the checkpoint, in order
   * @return for each current worker, the first round in which it takes part
   * @throws InvalidDataException if these deals do not follow the checkpoint
   */
  public List<Long> resume(List<Long> rounds, List<Deal> later) {
    List<Long> positions = rounds;
    for (Deal deal : later) {
      boolean follows = kept.isEmpty() || kept.getLast().batchSize() == deal.batchSize();
      if (deal.workers() != positions.size() || !follows) {
        positions = dealAgain(positions, deal.workers());
      }
      add(deal);
    }
    boolean areSame = kept.isEmpty() || kept.getLast().batchSize() == batchSize;
    return positions.size() == workers && areSame ? positions : dealAgain(positions, workers);
  }

  private List<Long> dealAgain(List<Long> positions, int newWorkers) {
    for (Deal deal : kept) {
      IntStream.range(0, deal.workers())
          .forEach(worker -> backlog.giveBack(deal.rest(worker, positions.get(worker))));
    }
    kept.clear();
    nextRound = positions.stream().mapToLong(Long::longValue).max().orElse(0);
    return Collections.nCopies(newWorkers, nextRound);
  }
}
