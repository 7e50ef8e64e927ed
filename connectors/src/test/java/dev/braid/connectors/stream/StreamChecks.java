package dev.braid.connectors.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.connectors.lineage.Deal;
import dev.braid.connectors.lineage.LineageEntry;
import dev.braid.connectors.lineage.LineageEntry.Began;
import dev.braid.connectors.lineage.LineageEntry.Dealt;
import dev.braid.connectors.lineage.RecordedRun;
import dev.braid.learner.OffsetRange;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Checks of properties that hold in every schedule of a {@link SimulatedStream}. */
final class StreamChecks {

  /** Offsets of each partition. */
  static final class Offsets {
    private final Map<Integer, BitSet> offsets = new HashMap<>();

    Offsets copy() {
      Offsets copy = new Offsets();
      copy.addAll(this);
      return copy;
    }

    void addAll(Offsets others) {
      others.offsets.forEach(
          (partition, bits) -> offsets.computeIfAbsent(partition, key -> new BitSet()).or(bits));
    }

    /** Adds a range, and fails if any of its offsets has been added before. */
    void add(OffsetRange range) {
      BitSet bits = offsets.computeIfAbsent(range.partition(), key -> new BitSet());
      int used = bits.nextSetBit((int) range.start());
      assertThat(used < 0 || used >= range.end()).as("%s is used again", range).isTrue();
      bits.set((int) range.start(), (int) range.end());
    }

    boolean has(int partition, long start, long end) {
      return offsets.getOrDefault(partition, new BitSet()).nextClearBit((int) start) >= end;
    }

    long count() {
      return offsets.values().stream().mapToLong(BitSet::cardinality).sum();
    }
  }

  private final List<LineageEntry> lineage;
  private final Set<Dealt> inLineage = new HashSet<>();

  /** For each round, the offsets that each worker has used in it. */
  private final SortedMap<Long, Map<Integer, List<OffsetRange>>> samples = new TreeMap<>();

  private long dealtEnd;

  /**
   * Creates the checks of a run.
   *
   * @param lineage the entries of the lineage, as a live list
   */
  StreamChecks(List<LineageEntry> lineage) {
    this.lineage = lineage;
  }

  /** Records lines that have been appended to the lineage. */
  void appended(List<LineageEntry> lines) {
    for (LineageEntry line : lines) {
      if (line instanceof Dealt dealt) {
        inLineage.add(dealt);
        if (dealt.round() < dealtEnd) {
          // Other workers do these rounds again, so that their earlier samples do not count.
          samples.tailMap(dealt.round()).clear();
        }
        dealtEnd = dealt.round() + dealt.rounds();
      }
    }
  }

  /** Checks a deal that a reader receives. */
  void told(Deal deal) {
    Dealt dealt = Dealt.of(deal);
    // No assertion about the set is used, because it would iterate over all elements.
    assertThat(inLineage.contains(dealt)).as("the lineage has %s", dealt).isTrue();
  }

  /** Checks a batch that a worker uses. */
  void used(long round, int worker, List<OffsetRange> batch) {
    List<OffsetRange> before =
        samples.computeIfAbsent(round, key -> new HashMap<>()).putIfAbsent(worker, batch);
    assertThat(Optional.ofNullable(before).orElse(batch))
        .as("batch of worker %d in round %d, when it was done before", worker, round)
        .isEqualTo(batch);
  }

  /** Compares the used offsets with the final contents of the lineage. */
  void ended(SortedMap<Integer, Long> starts, SortedMap<Integer, Long> ends, boolean isInStep) {
    RecordedRun run =
        RecordedRun.of("lineage", (Began) lineage.get(0), lineage.subList(1, lineage.size()));
    TreeMap<Long, Deal> deals = new TreeMap<>();
    run.deals().forEach(deal -> deals.put(deal.firstRound(), deal));
    samples.forEach(
        (round, batches) ->
            batches.forEach(
                (worker, batch) ->
                    assertThat(deals.floorEntry(round).getValue().batch(worker, round))
                        .as("recorded batch of worker %d in round %d", worker, round)
                        .isEqualTo(batch)));
    if (!isInStep) {
      // Workers in different rounds leave parts of rounds, which other workers do later.
      return;
    }
    Offsets recorded = new Offsets();
    List<OffsetRange> all = new ArrayList<>();
    run.deals().forEach(deal -> deal.shares().forEach(all::addAll));
    all.forEach(recorded::add);
    ends.forEach(
        (partition, end) ->
            assertThat(recorded.has(partition, starts.get(partition), end))
                .as("recorded offsets of partition %d", partition)
                .isTrue());
    assertThat(samples.keySet()).hasSize((int) run.rounds());
  }
}
