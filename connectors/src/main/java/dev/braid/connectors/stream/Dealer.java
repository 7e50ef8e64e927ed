package dev.braid.connectors.stream;

import dev.braid.connectors.lineage.Deal;
import dev.braid.connectors.lineage.LineageEntry;
import dev.braid.connectors.lineage.LineageEntry.Dealt;
import dev.braid.connectors.lineage.LineageEntry.Digested;
import dev.braid.learner.OffsetRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Decides when offsets are dealt, what a reader receives, and what a checkpoint contains. It is
 * pure: a {@link StreamEnumerator} does the communication with brokers and disks, and sends what
 * this class returns.
 *
 * <p>Deals follow one order: {@link #looked} returns lines for the lineage, the caller appends
 * them, and only {@link #appended} returns the deals that readers may receive. Until then no
 * further line is returned. A caller whose append fails abandons the dealer: another one begins
 * with the contents of the lineage.
 */
public final class Dealer {

  /**
   * Highest number of rounds in a deal. A reader must not use up all its deals before the caller
   * looks again, even if a round takes a tenth of a millisecond.
   */
  static final int MOST_ROUNDS = 256;

  /** Highest number of deals that a reader has received and not used up. */
  public static final int AHEAD = 3;

  /**
   * Settings of a run.
   *
   * @param workers number of workers that share a round
   * @param batchSize number of offsets in a worker's batch
   * @param maxWait longest time for which a record waits for a full round
   * @param endRound the round after the last possible one
   */
  public record Rules(int workers, int batchSize, Duration maxWait, long endRound) {}

  /** Offsets that were not dealt when an append began. */
  private record Undealt(SortedMap<Integer, Long> next, List<OffsetRange> returned) {}

  private final Rules rules;
  private final StreamState start;
  private final DealBook book;
  private final List<StreamPosition> positions = new ArrayList<>();

  /** For each reader, the number of deals that it has received and not used up. */
  private final Map<Integer, Integer> outstanding = new HashMap<>();

  /** For each checkpoint, the first round to which a reader may return. */
  private final SortedMap<Long, Long> saved = new TreeMap<>();

  private final List<LineageEntry> digests = new ArrayList<>();

  /** Offsets for a checkpoint during an append: readers have not seen the new deals. */
  private Optional<Undealt> beforeAppend = Optional.empty();

  private int appending;

  /** Number of entries that the lineage certainly has. */
  private long entries;

  /** The round after the last one whose deal is in the lineage. */
  private long durableRound;

  private boolean isAllDealt;

  /** Time at which the oldest record that is not dealt was seen. */
  private OptionalLong waitingSinceNanos = OptionalLong.empty();

  /**
   * Creates a dealer that continues a run, possibly with another number of workers.
   *
   * @param state the beginning of the run, or its last checkpoint
   * @param later all entries of the lineage after those of the state
   * @param reported positions of the workers at the checkpoint; empty if nothing is restored
   * @throws dev.braid.connectors.file.InvalidDataException if the entries do not follow the state
   */
  public Dealer(
      Rules rules,
      StreamState state,
      List<LineageEntry> later,
      Collection<StreamPosition> reported) {
    this.rules = rules;
    this.start = state;
    book = new DealBook(rules.workers(), rules.batchSize());
    book.restore(
        state.round(),
        state.next(),
        Dealt.ranges(state.returned()),
        state.deals().stream().map(Dealt::deal).toList());
    List<Deal> deals =
        later.stream()
            .filter(Dealt.class::isInstance)
            .map(entry -> ((Dealt) entry).deal())
            .toList();
    List<Long> rounds = book.resume(rounds(reported), deals);
    for (int worker = 0; worker < rules.workers(); worker++) {
      positions.add(new StreamPosition(worker, rules.workers(), rounds.get(worker)));
    }
    entries = state.entries() + later.size();
    durableRound = book.nextRound();
  }

  private List<Long> rounds(Collection<StreamPosition> reported) {
    if (reported.isEmpty()) {
      return Collections.nCopies(rules.workers(), 0L);
    }
    List<Long> rounds =
        new LinkedHashSet<>(reported)
            .stream()
                .sorted(Comparator.comparingInt(StreamPosition::worker))
                .map(StreamPosition::round)
                .toList();
    int before = reported.iterator().next().workers();
    if (rounds.size() != before) {
      throw new IllegalStateException(
          "the checkpoint has the positions %s: one of each of %d workers is needed"
              .formatted(reported, before));
    }
    return rounds;
  }

  /** Returns the position from which each worker continues. */
  public List<StreamPosition> positions() {
    return List.copyOf(positions);
  }

  // ---- readers ---------------------------------------------------------------------------------

  /** Returns the deals for a reader that begins, or begins again, at a position. */
  public List<Deal> tell(StreamPosition position) {
    List<Deal> deals =
        durable().stream().filter(deal -> deal.endRound() > position.round()).toList();
    outstanding.put(position.worker(), deals.size());
    return deals;
  }

  /** Returns whether readers have received all deals of the run. */
  public boolean isOver() {
    return isAllDealt && beforeAppend.isEmpty();
  }

  /** Records that a reader has used up its oldest deal. */
  public void used(int reader) {
    outstanding.merge(reader, -1, Integer::sum);
  }

  private int busiest() {
    return outstanding.values().stream().mapToInt(Integer::intValue).max().orElse(0);
  }

  private List<Deal> durable() {
    return book.deals().stream().filter(deal -> deal.endRound() <= durableRound).toList();
  }

  /**
   * Returns the number of offsets that may be dealt.
   *
   * @param ends the offset after the last one of each partition
   */
  long undealt(SortedMap<Integer, Long> ends) {
    return book.undealt(limited(ends));
  }

  /** Returns the number of deals that are kept, because a reader may go back to them. */
  public int kept() {
    return book.deals().size();
  }

  // ---- dealing ---------------------------------------------------------------------------------

  /**
   * Deals offsets that have arrived.
   *
   * @param ends the offset after the last one of each partition
   * @param added first offsets of partitions that the initial state does not have
   * @param nowNanos time of any monotonic clock in nanoseconds
   * @return lines to append; empty if there is nothing to do
   */
  public List<LineageEntry> looked(
      SortedMap<Integer, Long> ends, SortedMap<Integer, Long> added, long nowNanos) {
    if (beforeAppend.isPresent() || isAllDealt) {
      return List.of();
    }
    added.forEach(book::addPartition);
    Undealt undealt = undealt();
    SortedMap<Integer, Long> limited = limited(ends);
    List<Deal> deals = new ArrayList<>();
    for (int ahead = busiest(); ahead < AHEAD; ahead++) {
      Optional<Deal> next = book.deal(limited, isEnough(limited, ahead, nowNanos), roundsLeft());
      if (next.isEmpty()) {
        break;
      }
      deals.add(next.get());
    }
    if (!deals.isEmpty() || book.isAllDealt(limited)) {
      waitingSinceNanos = OptionalLong.empty();
    } else if (waitingSinceNanos.isEmpty()) {
      waitingSinceNanos = OptionalLong.of(nowNanos);
    }
    isAllDealt = roundsLeft() == 0 || (hasEnd() && book.isAllDealt(until(ends)));
    return append(deals, undealt);
  }

  private int roundsLeft() {
    // The end of a restored run may have been set to a round that it has passed.
    return (int) Math.max(0, Math.min(MOST_ROUNDS, rules.endRound() - book.nextRound()));
  }

  /**
   * Returns whether a short round may be dealt, because records have waited long enough or are the
   * last ones.
   */
  private boolean isEnough(SortedMap<Integer, Long> ends, int ahead, long nowNanos) {
    boolean areLast = hasEnd() && ends.equals(until(ends));
    boolean haveWaited =
        waitingSinceNanos.isPresent()
            && nowNanos - waitingSinceNanos.getAsLong() >= rules.maxWait().toNanos();
    return areLast || (haveWaited && ahead <= 1);
  }

  private boolean hasEnd() {
    return !start.until().isEmpty();
  }

  /** Returns the ends of the run; partitions that were added later are not part of it. */
  private SortedMap<Integer, Long> until(SortedMap<Integer, Long> ends) {
    SortedMap<Integer, Long> until = new TreeMap<>(ends);
    until.replaceAll((partition, end) -> 0L);
    until.putAll(start.until());
    return until;
  }

  private SortedMap<Integer, Long> limited(SortedMap<Integer, Long> ends) {
    if (!hasEnd()) {
      return ends;
    }
    SortedMap<Integer, Long> limited = new TreeMap<>(ends);
    until(ends).forEach((partition, end) -> limited.merge(partition, end, Math::min));
    return limited;
  }

  /** Adds a digest for the lineage and returns {@link #rest}. */
  public List<LineageEntry> digested(long rounds, String sha256) {
    digests.add(new Digested(rounds, sha256));
    return rest();
  }

  /** Returns digests that must be appended; empty while an append is in progress. */
  public List<LineageEntry> rest() {
    return beforeAppend.isPresent() ? List.of() : append(List.of(), undealt());
  }

  private List<LineageEntry> append(List<Deal> deals, Undealt undealt) {
    List<LineageEntry> lines =
        Stream.concat(digests.stream(), deals.stream().map(Dealt::of)).toList();
    digests.clear();
    if (!lines.isEmpty()) {
      beforeAppend = Optional.of(undealt);
      appending = lines.size();
    }
    return lines;
  }

  /**
   * Records that the lines are in the lineage.
   *
   * @param readers readers that receive the deals now; others receive them when they register
   * @return the deals
   */
  public List<Deal> appended(Collection<Integer> readers) {
    List<Deal> deals =
        book.deals().stream().filter(deal -> deal.endRound() > durableRound).toList();
    readers.forEach(reader -> outstanding.merge(reader, deals.size(), Integer::sum));
    entries += appending;
    durableRound = book.nextRound();
    beforeAppend = Optional.empty();
    return deals;
  }

  // ---- checkpoints -----------------------------------------------------------------------------

  /**
   * Returns the state for a checkpoint: only what the lineage contains, and readers may have seen.
   */
  public StreamState snapshot(long checkpoint) {
    long confirmed = confirmed();
    saved.put(checkpoint, confirmed);
    Undealt undealt = beforeAppend.orElseGet(this::undealt);
    return start.at(
        entries,
        durableRound,
        undealt.next(),
        Dealt.text(undealt.returned()),
        // The readers' positions decide which deals are kept, whatever was undealt when the append
        // began.
        durable().stream().filter(deal -> deal.endRound() > confirmed).map(Dealt::of).toList());
  }

  private Undealt undealt() {
    return new Undealt(book.next(), book.returned());
  }

  /** Returns the first round of the oldest deal that some reader has not used up. */
  private long confirmed() {
    List<Deal> sent = durable();
    int most = busiest();
    return most == 0 ? durableRound : sent.get(sent.size() - most).firstRound();
  }

  /** Records that a checkpoint is complete, so that no reader returns to a state before it. */
  public void completed(long checkpoint) {
    Optional.ofNullable(saved.get(checkpoint)).ifPresent(book::forgetBefore);
    saved.headMap(checkpoint + 1).clear();
  }
}
