package dev.braid.chaos.sim.stream;

import dev.braid.chaos.sim.Disturbances.Rate;
import dev.braid.chaos.sim.FaultCounts.Incident;
import dev.braid.chaos.sim.stream.SimulatedStream.Checkpoint;
import dev.braid.chaos.sim.stream.StreamChecks.Offsets;
import dev.braid.connectors.lineage.Deal;
import dev.braid.connectors.lineage.LineageEntry;
import dev.braid.connectors.lineage.LineageEntry.Began;
import dev.braid.connectors.lineage.LineageEntry.Dealt;
import dev.braid.connectors.lineage.LineageEntry.Resumed;
import dev.braid.connectors.stream.Dealer;
import dev.braid.connectors.stream.StreamPosition;
import dev.braid.connectors.stream.StreamState;
import dev.braid.learner.OffsetRange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** A Flink job from one restart to the next: an enumerator and its readers. */
final class StreamAttempt {

  private static final long LONGEST_CHECKPOINT = 40;

  final SimulatedStream stream;
  private final int workers;
  private final int batch;
  private final Optional<Checkpoint> from;
  private final SortedMap<Integer, Long> added = new TreeMap<>();
  private final TreeSet<Integer> registered = new TreeSet<>();
  private final List<StreamWorker> readers = new ArrayList<>();
  private Optional<StreamState> begun = Optional.empty();
  private List<LineageEntry> later = List.of();
  Optional<Dealer> dealer = Optional.empty();
  Offsets used;

  /** Positions of readers that fail and begin again while the enumerator continues. */
  private List<StreamPosition> restored = List.of();

  private Offsets usedAtRestored;
  boolean isAlive = true;
  boolean isEnumeratorAlive = true;
  int generation;
  private int described;

  /** Number of deals that this enumerator has made. */
  private int dealt;

  private long lineageSize;
  private List<LineageEntry> appending = List.of();
  private long pendingCheckpoint;
  private long hungrySince = Long.MAX_VALUE;

  StreamAttempt(SimulatedStream stream, int workers, int batch) {
    this.stream = stream;
    from = stream.last;
    used = from.map(Checkpoint::used).orElseGet(Offsets::new).copy();
    usedAtRestored = used.copy();
    stream.versions.ifPresent(it -> it.restore(from.flatMap(Checkpoint::versions)));
    this.workers = workers;
    this.batch = batch;
    stream.in(stream.between(1, 30), this::begin);
    startReaders();
    every(1, 40, this::checkpoint);
  }

  void every(long least, long most, Runnable action) {
    stream.in(
        stream.between(least, most),
        () -> {
          if (isAlive) {
            action.run();
            every(least, most, action);
          }
        });
  }

  // ---- beginning -----------------------------------------------------------------------------

  private void begin() {
    StreamState state =
        from.map(Checkpoint::state)
            .orElseGet(
                () ->
                    new StreamState(
                        "",
                        "stream.lineage",
                        1,
                        "id",
                        "",
                        1,
                        0,
                        ((Began) stream.lineage.get(0)).from(),
                        "",
                        stream.until,
                        List.of()));
    describe();
    added.keySet().removeAll(state.next().keySet());
    int end =
        stream.makes(StreamMistake.LINEAGE_NOT_READ)
            ? (int) state.entries()
            : stream.lineage.size();
    later = new ArrayList<>(stream.lineage.subList((int) state.entries(), end));
    lineageSize = stream.lineage.size();
    stream.in(stream.appendMillis(), () -> fence(state));
  }

  private void fence(StreamState state) {
    if (!isEnumeratorAlive) {
      return;
    }
    if (!stream.makes(StreamMistake.NOT_FENCED)) {
      List<LineageEntry> fence = List.of(new Resumed("run"));
      if (!put(fence)) {
        stream.count(Incident.CONFLICT);
        isEnumeratorAlive = false;
        crash();
        return;
      }
      later.addAll(fence);
    }
    begun = Optional.of(state);
    resumeIfComplete();
  }

  private boolean put(List<LineageEntry> lines) {
    if (stream.lineage.size() != lineageSize) {
      return false;
    }
    stream.lineage.addAll(lines);
    lineageSize = stream.lineage.size();
    stream.checks.appended(lines);
    return true;
  }

  private void startReaders() {
    registered.clear();
    readers.clear();
    for (int worker = 0; worker < workers; worker++) {
      StreamWorker reader = new StreamWorker(this, worker);
      readers.add(reader);
      stream.in(stream.between(0, 60), () -> register(reader));
    }
    int itsGeneration = generation;
    if (stream.isInStep) {
      every(1, stream.between(1, 8), () -> roundInStep(itsGeneration));
    }
  }

  private void register(StreamWorker reader) {
    if (!reader.isAlive()) {
      return;
    }
    registered.add(reader.worker);
    if (dealer.isPresent()) {
      tell(dealer.get(), restored.get(reader.worker));
    } else {
      resumeIfComplete();
    }
  }

  private void resumeIfComplete() {
    if (begun.isEmpty() || registered.size() < workers) {
      return;
    }
    Dealer resumed =
        new Dealer(
            new Dealer.Rules(workers, batch, Duration.ofMillis(stream.maxWait), Long.MAX_VALUE),
            begun.get(),
            later,
            from.map(Checkpoint::positions).orElse(List.of()));
    dealer = Optional.of(resumed);
    restored = resumed.positions();
    restored.forEach(position -> tell(resumed, position));
    stream.in(0, this::look);
  }

  private void tell(Dealer known, StreamPosition position) {
    StreamWorker reader = readers.get(position.worker());
    reader.begin(position);
    known.tell(position).forEach(reader::receive);
    if (known.isOver()) {
      reader.hasAllDeals = true;
    }
  }

  // ---- dealing -------------------------------------------------------------------------------

  private void describe() {
    added.putAll(stream.firsts.tailMap(described));
    described = stream.firsts.size();
  }

  private void look() {
    if (!isEnumeratorAlive) {
      return;
    }
    int before = described;
    if (stream.oneIn(4)) {
      describe();
    }
    SortedMap<Integer, Long> there = new TreeMap<>(stream.ends.headMap(described));
    SortedMap<Integer, Long> report = new TreeMap<>(added);
    if (stream.makes(StreamMistake.PARTITION_REPORTED_ONCE)) {
      report.keySet().removeIf(partition -> partition < before);
    }
    boolean isLost = stream.occurs(Rate.LOST_LOOKS);
    stream.in(
        stream.between(0, 5),
        () -> {
          if (isLost) {
            stream.count(Incident.LOST_LOOK);
            hungrySince = Long.MAX_VALUE;
          } else if (isEnumeratorAlive) {
            Dealer known = dealer.orElseThrow();
            looked(known, there, known.looked(there, report, stream.now * 1_000_000));
          }
        });
    stream.in(stream.between(5, SimulatedStream.LONGEST_LOOK), this::look);
  }

  private void looked(Dealer known, SortedMap<Integer, Long> there, List<LineageEntry> lines) {
    boolean isHungry =
        isAlive
            && appending.isEmpty()
            && lines.isEmpty()
            && registered.size() == workers
            && readers.stream().allMatch(StreamWorker::isIdle)
            && there.entrySet().stream().anyMatch(end -> !isUsed(end.getKey(), end.getValue()));
    hungrySince = isHungry ? Math.min(hungrySince, stream.now) : Long.MAX_VALUE;
    if (isHungry) {
      StreamChecks.require(
          stream.now - hungrySince < stream.maxWait + 3 * SimulatedStream.LONGEST_LOOK,
          "no reader has had a deal since %s ms, but the topic has records",
          hungrySince);
    }
    append(known, lines);
  }

  private boolean isUsed(int partition, long end) {
    long most =
        stream.until.isEmpty() ? end : Math.min(end, stream.until.getOrDefault(partition, 0L));
    return used.has(partition, stream.firstToUse(partition), most);
  }

  private void append(Dealer known, List<LineageEntry> lines) {
    if (lines.isEmpty()) {
      endIfOver(known);
      return;
    }
    appending = lines;
    if (stream.makes(StreamMistake.TOLD_BEFORE_APPENDED)) {
      told(known);
    }
    dealt += dealsOf(lines);
    boolean fails = stream.occurs(Rate.FAILED_WRITES);
    boolean isTried = !fails || stream.oneIn(3);
    stream.in(
        stream.appendMillis(),
        () -> {
          boolean isThere = isTried && put(lines);
          stream.count(write(fails, isTried, isThere));
          stream.in(stream.appendMillis() / 2, () -> appended(known, isThere && !fails));
        });
  }

  private Incident write(boolean fails, boolean isTried, boolean isThere) {
    if (isTried && !isThere) {
      return Incident.CONFLICT;
    } else if (fails) {
      return isThere ? Incident.FAILED_BUT_THERE : Incident.FAILED_APPEND;
    }
    return isEnumeratorAlive ? Incident.APPEND : Incident.LATE_APPEND;
  }

  private static int dealsOf(List<LineageEntry> lines) {
    return (int) lines.stream().filter(Dealt.class::isInstance).count();
  }

  private void appended(Dealer known, boolean isKnown) {
    if (!isEnumeratorAlive) {
      return;
    }
    if (isKnown) {
      appending = List.of();
      if (!stream.makes(StreamMistake.TOLD_BEFORE_APPENDED)) {
        told(known);
      }
      append(known, known.rest());
    } else {
      isEnumeratorAlive = false;
      crash();
    }
  }

  private void told(Dealer known) {
    List<Integer> there = List.copyOf(registered);
    for (Deal deal : known.appended(there)) {
      if (!stream.makes(StreamMistake.DEAL_NOT_TOLD_AGAIN) || there.size() == workers) {
        there.forEach(reader -> readers.get(reader).receive(deal));
      }
    }
  }

  private void endIfOver(Dealer known) {
    if (known.isOver()) {
      stream.count(Incident.ALL_DEALT);
      registered.forEach(reader -> readers.get(reader).hasAllDeals = true);
    }
  }

  // ---- checkpoints ---------------------------------------------------------------------------

  private void checkpoint() {
    if (pendingCheckpoint != 0 || dealer.isEmpty() || registered.size() < workers) {
      return;
    }
    Dealer known = dealer.get();
    long id = ++stream.checkpoints;
    int before = dealt - dealsOf(appending);
    pendingCheckpoint = id;
    if (stream.occurs(Rate.CRASHES)) {
      stream.in(stream.between(0, LONGEST_CHECKPOINT), this::crash);
    }
    if (!appending.isEmpty()) {
      stream.count(Incident.CHECKPOINT_DURING_APPEND);
    }
    StreamState state = stream.mistaken(known.snapshot(id), appending);
    StreamChecks.require(
        state.entries() <= stream.lineage.size(),
        "a checkpoint counts %s entries of the lineage, which has %s",
        state.entries(),
        stream.lineage.size());
    int most = readers.stream().mapToInt(reader -> reader.mostDeals).max().orElse(0);
    StreamChecks.require(
        state.deals().size() <= most,
        "a checkpoint has %s deals, and a reader at most %s",
        state.deals().size(),
        most);
    if (stream.makes(StreamMistake.FORGOTTEN_TOO_EARLY)) {
      known.completed(id);
    }
    List<StreamPosition> positions = new ArrayList<>();
    Offsets saved = usedAtRestored.copy();
    long together = stream.between(0, 20);
    for (StreamWorker reader : readers) {
      stream.in(
          stream.isInStep ? together : stream.between(0, 20),
          () -> {
            if (isPending(id)) {
              positions.add(reader.snapshot());
              saved.addAll(reader.used);
              if (positions.size() == workers) {
                Optional<StreamVersions.Saved> versions = stream.versions.map(it -> it.save(id));
                stream.in(
                    stream.between(0, 20),
                    () -> end(id, before, new Checkpoint(state, positions, saved, versions)));
              }
            }
          });
    }
  }

  private boolean isPending(long id) {
    return isAlive && pendingCheckpoint == id;
  }

  private void end(long id, int before, Checkpoint checkpoint) {
    if (!isPending(id)) {
      return;
    }
    pendingCheckpoint = 0;
    if (stream.occurs(Rate.ABORTS)) {
      stream.count(Incident.CHECKPOINT_DECLINED);
      return;
    }
    stream.count(Incident.CHECKPOINT);
    checkpoint.versions().ifPresent(saved -> stream.versions.orElseThrow().durable(saved));
    stream.last = Optional.of(stream.oneIn(8) ? restoredFromBytes(checkpoint) : checkpoint);
    restored =
        checkpoint.positions().stream()
            .sorted(Comparator.comparingInt(StreamPosition::worker))
            .toList();
    usedAtRestored = checkpoint.used();
    if (stream.occurs(Rate.LOST_COMPLETIONS)) {
      stream.count(Incident.COMPLETION_LOST);
      crash();
      return;
    }
    stream.in(
        stream.between(0, 20),
        () -> {
          if (isAlive) {
            stream.versions.ifPresent(it -> it.completed(id));
          }
          if (isEnumeratorAlive) {
            Dealer known = dealer.orElseThrow();
            known.completed(id);
            StreamChecks.require(
                known.kept() <= checkpoint.state().deals().size() + dealt - before,
                "%s deals are kept after a checkpoint with %s",
                known.kept(),
                checkpoint.state().deals().size());
          }
        });
  }

  private Checkpoint restoredFromBytes(Checkpoint checkpoint) {
    try {
      StreamState.Serializer form = new StreamState.Serializer();
      return new Checkpoint(
          form.deserialize(form.getVersion(), form.serialize(checkpoint.state())),
          checkpoint.positions(),
          checkpoint.used(),
          checkpoint.versions());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  // ---- failures ------------------------------------------------------------------------------

  void failInPlace() {
    if (!isAlive || dealer.isEmpty()) {
      return;
    }
    stream.count(Incident.READERS_RESTARTED);
    generation++;
    pendingCheckpoint = 0;
    hungrySince = Long.MAX_VALUE;
    used = usedAtRestored.copy();
    stream.versions.ifPresent(it -> it.restore(stream.last.flatMap(Checkpoint::versions)));
    startReaders();
  }

  void crash() {
    if (!isAlive) {
      return;
    }
    isAlive = false;
    stream.count(Incident.RESTARTED);
    if (isEnumeratorAlive && stream.occurs(Rate.OTHER_JOB_MANAGERS)) {
      stream.count(Incident.ZOMBIE);
      stream.in(stream.between(1, 200), () -> isEnumeratorAlive = false);
    } else {
      isEnumeratorAlive = false;
    }
    stream.in(
        stream.between(1, 30),
        () -> {
          int otherWorkers = stream.occurs(Rate.RESCALES) ? stream.workers() : workers;
          int otherBatch = stream.occurs(Rate.RESCALES) ? stream.batch() : batch;
          if (otherWorkers != workers) {
            stream.count(Incident.WORKERS_CHANGED);
          }
          if (otherBatch != batch) {
            stream.count(Incident.BATCH_CHANGED);
          }
          stream.current = new StreamAttempt(stream, otherWorkers, otherBatch);
        });
  }

  // ---- training ------------------------------------------------------------------------------

  private void roundInStep(int ofGeneration) {
    boolean isReady =
        ofGeneration == generation
            && registered.size() == workers
            && readers.stream().noneMatch(StreamWorker::isIdle);
    if (isReady) {
      List<List<OffsetRange>> batches = readers.stream().map(StreamWorker::use).toList();
      if (stream.isStopped) {
        return;
      }
      long rounds = readers.get(0).position.orElseThrow().round();
      stream.versions.ifPresent(it -> it.trained(rounds, batches.hashCode()));
      if (rounds % 10 == 0 && isEnumeratorAlive) {
        Dealer known = dealer.orElseThrow();
        append(known, known.digested(rounds, "digest"));
      }
    }
  }

  boolean isDone() {
    return isAlive
        && registered.size() == workers
        && readers.stream().allMatch(StreamWorker::isIdle)
        && (stream.until.isEmpty() || readers.stream().allMatch(reader -> reader.hasAllDeals))
        && stream.target().entrySet().stream()
            .allMatch(end -> isUsed(end.getKey(), end.getValue()));
  }

  @Override
  public String toString() {
    return "%d workers (%s) with batches of %d, %d offsets used"
        .formatted(workers, registered, batch, used.count());
  }
}
