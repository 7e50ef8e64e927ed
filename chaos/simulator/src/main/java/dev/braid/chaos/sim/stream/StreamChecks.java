package dev.braid.chaos.sim.stream;

import dev.braid.connectors.lineage.Deal;
import dev.braid.connectors.lineage.LineageEntry;
import dev.braid.connectors.lineage.LineageEntry.Began;
import dev.braid.connectors.lineage.LineageEntry.Dealt;
import dev.braid.connectors.lineage.RecordedRun;
import dev.braid.connectors.stream.SimulatedRecords.Read;
import dev.braid.learner.OffsetRange;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
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
      require(used < 0 || used >= range.end(), "%s is used again", range);
      bits.set((int) range.start(), (int) range.end());
    }

    boolean has(int partition, long start, long end) {
      return offsets.getOrDefault(partition, new BitSet()).nextClearBit((int) start) >= end;
    }

    long count() {
      return offsets.values().stream().mapToLong(BitSet::cardinality).sum();
    }
  }

  private final SimulatedStream stream;
  private final List<LineageEntry> lineage;
  private final Set<Dealt> inLineage = new HashSet<>();

  /** For each round, the offsets that each worker has used in it. */
  private final SortedMap<Long, Map<Integer, List<OffsetRange>>> samples = new TreeMap<>();

  private long dealtEnd;

  StreamChecks(SimulatedStream stream) {
    this.stream = stream;
    this.lineage = stream.lineage;
  }

  /** Fails with a message if a condition is false. */
  @SuppressWarnings("AnnotateFormatMethod") // The annotation is not on the class path.
  static void require(boolean condition, String format, Object... args) {
    if (!condition) {
      throw new IllegalStateException(format.formatted(args));
    }
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
    require(inLineage.contains(dealt), "a reader has %s before the lineage", dealt);
  }

  /** Checks a batch that a worker uses. */
  void used(long round, int worker, List<OffsetRange> batch) {
    List<OffsetRange> before =
        samples.computeIfAbsent(round, key -> new HashMap<>()).putIfAbsent(worker, batch);
    require(
        before == null || before.equals(batch),
        "worker %s uses %s in round %s, and used %s in it before",
        worker,
        batch,
        round,
        before);
  }

  /**
   * Checks the records that a reader has got for a batch: all that are still in the topic. A reader
   * that must not skip deleted records has to fail.
   */
  void read(List<OffsetRange> batch, Read read) {
    boolean hasLost =
        batch.stream().anyMatch(range -> range.start() < stream.firsts.get(range.partition()));
    if (read.failure().isPresent()) {
      require(hasLost && !stream.skipsLost, "%s: %s", batch, read.failure().get());
      return;
    }
    require(
        read.lost() == 0 || (hasLost && stream.skipsLost),
        "%s records of %s are skipped, of a topic from %s",
        read.lost(),
        batch,
        stream.firsts);
    List<Long> mayHave = new ArrayList<>();
    List<Long> mustHave = new ArrayList<>();
    for (OffsetRange range : batch) {
      long first = stream.firsts.get(range.partition());
      for (long offset = range.start(); offset < range.end(); offset++) {
        mayHave.add(offset);
        if (offset >= first) {
          mustHave.add(offset);
        }
      }
    }
    // Deleted records may have been sent before.
    require(
        read.offsets().size() + read.lost() == mayHave.size()
            && mayHave.containsAll(read.offsets())
            && read.offsets().containsAll(mustHave),
        "%s was read as %s, with %s lost records, of a topic from %s",
        batch,
        read.offsets(),
        read.lost(),
        stream.firsts);
  }

  /** Compares the used offsets with the final contents of the lineage. */
  void ended() {
    RecordedRun run =
        RecordedRun.of("lineage", (Began) lineage.get(0), lineage.subList(1, lineage.size()));
    TreeMap<Long, Deal> deals = new TreeMap<>();
    run.deals().forEach(deal -> deals.put(deal.firstRound(), deal));
    samples.forEach(
        (round, batches) ->
            batches.forEach(
                (worker, batch) -> {
                  List<OffsetRange> recorded =
                      deals.floorEntry(round).getValue().batch(worker, round);
                  require(
                      recorded.equals(batch),
                      "worker %s has used %s in round %s, and the lineage has %s",
                      worker,
                      batch,
                      round,
                      recorded);
                }));
    stream.versions.ifPresent(it -> checkModels(it.models(), deals));
    if (!stream.isInStep) {
      // Workers in different rounds leave parts of rounds, which other workers do later.
      return;
    }
    Offsets recorded = new Offsets();
    run.deals().forEach(deal -> deal.shares().forEach(share -> share.forEach(recorded::add)));
    if (stream.isStopped) {
      return;
    }
    stream
        .target()
        .forEach(
            (partition, end) ->
                require(
                    recorded.has(partition, stream.firstToUse(partition), end),
                    "the lineage has not dealt all of partition %s, up to %s",
                    partition,
                    end));
    require(
        samples.size() == run.rounds(),
        "%s rounds are done, and the lineage has %s",
        samples.size(),
        run.rounds());
  }

  /** Checks that each published model is the one that the lineage gives. */
  private static void checkModels(SortedMap<Long, Long> models, NavigableMap<Long, Deal> deals) {
    long model = 0;
    long end = models.isEmpty() ? 0 : models.lastKey();
    for (long round = 0; round < end; round++) {
      List<List<OffsetRange>> batches = new ArrayList<>();
      Deal deal = deals.floorEntry(round).getValue();
      for (int worker = 0; worker < deal.workers(); worker++) {
        batches.add(deal.batch(worker, round));
      }
      model = StreamVersions.next(model, batches.hashCode());
      require(
          models.getOrDefault(round + 1, model) == model,
          "the model after round %s is not that of the lineage",
          round);
    }
  }
}
