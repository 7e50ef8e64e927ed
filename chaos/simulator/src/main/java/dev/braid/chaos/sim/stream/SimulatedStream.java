package dev.braid.chaos.sim.stream;

import dev.braid.chaos.sim.Disturbances;
import dev.braid.chaos.sim.Disturbances.Rate;
import dev.braid.chaos.sim.FaultCounts;
import dev.braid.chaos.sim.FaultCounts.Incident;
import dev.braid.chaos.sim.SimulationFailure;
import dev.braid.chaos.sim.SimulationResult;
import dev.braid.chaos.sim.condition.Seeds;
import dev.braid.chaos.sim.stream.StreamChecks.Offsets;
import dev.braid.connectors.lineage.LineageEntry;
import dev.braid.connectors.lineage.LineageEntry.Began;
import dev.braid.connectors.stream.StreamPosition;
import dev.braid.connectors.stream.StreamState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * A run from a topic in virtual time, with the real {@link dev.braid.connectors.stream.Dealer}.
 * Partitions grow, pause, lose their oldest records and are added. Readers are in step, or each has
 * its own pace. Appends take time or fail, checkpoints are completed or declined, and all readers
 * or the enumerator crash. A replaced enumerator may stay alive for a while. After some time all
 * faults end, and the run has to use up the topic. The seed and the faults determine everything.
 */
public final class SimulatedStream {

  /**
   * Faults of a run.
   *
   * @param rates rates of disturbances
   * @param crashes numbers of the events after which the job crashes
   * @param readerCrashes numbers of the events after which all readers crash
   * @param hasVersions whether versions of the model are published, if readers are in step
   */
  public record Faults(
      Disturbances rates, Set<Long> crashes, Set<Long> readerCrashes, boolean hasVersions) {}

  private static final long FAULTS_MILLIS = 500;
  private static final long LAST_MILLIS = 60_000;
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final int MOST_PARTITIONS = 7;
  private static final long LONGEST_IDLE = 300;
  private static final long SHORT_APPEND = 5;
  static final long LONGEST_LOOK = 15;
  static final long LONGEST_APPEND = 40;

  private record Task(long time, long order, Runnable action) {}

  record Checkpoint(
      StreamState state,
      List<StreamPosition> positions,
      Offsets used,
      Optional<StreamVersions.Saved> versions) {}

  final long seed;
  private final int mostWorkers;
  private final Faults faults;
  private final Optional<StreamMistake> mistake;
  final SplittableRandom random;
  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(Comparator.comparingLong(Task::time).thenComparingLong(Task::order));

  /** First offsets of partitions when the run began or they were added. */
  final SortedMap<Integer, Long> starts = new TreeMap<>();

  /** First offsets that partitions have now. */
  final SortedMap<Integer, Long> firsts = new TreeMap<>();

  final SortedMap<Integer, Long> ends = new TreeMap<>();
  final SortedMap<Integer, Long> until = new TreeMap<>();
  private final Map<Integer, Long> idleUntil = new HashMap<>();
  final List<LineageEntry> lineage = new ArrayList<>();
  final StreamChecks checks = new StreamChecks(this);
  private final FaultCounts counts = new FaultCounts();
  final boolean isInStep;

  /** Whether readers skip records that retention has deleted; otherwise these end the run. */
  final boolean skipsLost;

  final long maxWait;
  Optional<StreamVersions> versions = Optional.empty();
  Optional<Checkpoint> last = Optional.empty();
  StreamAttempt current;
  long checkpoints;
  boolean isStopped;
  private long order;
  private long happened;
  private long digest;
  long now;

  /**
   * Creates a run.
   *
   * @param mostWorkers maximum number of workers, at least 1
   * @param mistake mistake that the run makes intentionally
   */
  public SimulatedStream(
      long seed, int mostWorkers, Faults faults, Optional<StreamMistake> mistake) {
    this.seed = seed;
    this.mostWorkers = mostWorkers;
    this.faults = faults;
    this.mistake = mistake;
    random = Seeds.of(seed, -61);
    isInStep = random.nextInt(3) > 0;
    skipsLost = random.nextInt(4) > 0;
    maxWait = between(10, 60);
    boolean hasEnd = random.nextInt(3) == 0;
    for (long partition = between(1, 4); partition > 0; partition--) {
      addPartition();
      if (hasEnd) {
        until.put(starts.lastKey(), ends.get(starts.lastKey()) + between(0, 80));
      }
    }
    lineage.add(
        new Began("run", "t", "id", new TreeMap<>(starts), new TreeMap<>(until), 10, seed, ""));
  }

  /**
   * Runs until everything is used.
   *
   * @throws SimulationFailure if anything is wrong
   */
  public SimulationResult.Summary run() {
    try {
      if (faults.hasVersions() && isInStep) {
        versions = Optional.of(new StreamVersions(this));
      }
      current = new StreamAttempt(this, workers(), batch());
      every(1, 30, this::grow);
      while (!isDone()) {
        Task next = tasks.remove();
        now = next.time();
        StreamChecks.require(
            now < LAST_MILLIS, "not all is used at the end: %s of %s; %s", current, ends, versions);
        next.action().run();
        digest = Seeds.mix(digest, Seeds.mix(now, next.order()));
        happened++;
        crash();
      }
      checks.ended();
      return new SimulationResult.Summary(happened, now * NANOS_PER_MILLI, digest, counts);
    } catch (RuntimeException e) {
      throw new SimulationFailure(
          "seed %d at %d ms: %s".formatted(seed, now, e.getMessage() == null ? e : e.getMessage()),
          e);
    } finally {
      versions.ifPresent(StreamVersions::close);
    }
  }

  private void crash() {
    if (isFaulty() && faults.crashes().contains(happened)) {
      current.crash();
    }
    if (isFaulty() && faults.readerCrashes().contains(happened)) {
      current.failInPlace();
    }
  }

  boolean isFaulty() {
    return now < FAULTS_MILLIS;
  }

  private boolean isDone() {
    return isStopped
        || (now >= FAULTS_MILLIS + LONGEST_APPEND
            && current.isDone()
            && versions.map(StreamVersions::isDone).orElse(true));
  }

  /** Draws a number of workers. */
  int workers() {
    return 1 + random.nextInt(mostWorkers);
  }

  /** Draws the number of records in a worker's batch. */
  int batch() {
    return 1 + random.nextInt(4);
  }

  SortedMap<Integer, Long> target() {
    return until.isEmpty() ? ends : until;
  }

  // ---- time ------------------------------------------------------------------------------------

  long between(long least, long greatest) {
    return Seeds.between(random, least, greatest);
  }

  boolean oneIn(int times) {
    return random.nextInt(times) == 0;
  }

  /** Draws whether a disturbance occurs; none does after the faults have ended. */
  boolean occurs(Rate rate) {
    return isFaulty() && faults.rates().occurs(rate, random);
  }

  /** Draws the duration of a write to the lineage, in milliseconds. */
  long appendMillis() {
    return between(0, occurs(Rate.SLOW_WRITES) ? LONGEST_APPEND : SHORT_APPEND);
  }

  void in(long millis, Runnable action) {
    tasks.add(new Task(now + millis, order++, action));
  }

  private void every(long least, long most, Runnable action) {
    in(
        between(least, most),
        () -> {
          action.run();
          if (isFaulty()) {
            every(least, most, action);
          }
        });
  }

  void count(Incident incident) {
    counts.count(incident);
  }

  // ---- the topic -------------------------------------------------------------------------------

  private void addPartition() {
    long start = between(0, 3);
    int partition = starts.size();
    starts.put(partition, start);
    firsts.put(partition, start);
    ends.put(partition, start);
  }

  private void grow() {
    if (!isFaulty()) {
      until.forEach((partition, end) -> ends.merge(partition, end, Math::max));
      return;
    }
    if (occurs(Rate.ADDED_PARTITIONS) && starts.size() < MOST_PARTITIONS) {
      count(Incident.PARTITION_ADDED);
      addPartition();
    }
    if (occurs(Rate.IDLE_PARTITIONS)) {
      count(Incident.PARTITION_IDLE);
      idleUntil.put(random.nextInt(starts.size()), now + between(0, LONGEST_IDLE));
    }
    long most = oneIn(60) ? 200 : 5;
    ends.replaceAll(
        (partition, end) ->
            idleUntil.getOrDefault(partition, 0L) > now || oneIn(2) ? end : end + between(0, most));
    if (occurs(Rate.RETENTION)) {
      int partition = random.nextInt(starts.size());
      long before = firsts.get(partition);
      long first = between(before, ends.get(partition));
      firsts.put(partition, first);
      if (first > before) {
        count(Incident.RECORDS_DELETED);
      }
    }
  }

  /** Returns whether records may be deleted before they are read. */
  boolean hasRetention() {
    return faults.rates().of(Rate.RETENTION) > 0;
  }

  /**
   * Returns the first offset of a partition that the run has to use. If a partition is added, its
   * oldest records may be deleted before the run learns of it.
   */
  long firstToUse(int partition) {
    return ((Began) lineage.get(0)).from().containsKey(partition)
        ? starts.get(partition)
        : firsts.get(partition);
  }

  // ---- mistakes --------------------------------------------------------------------------------

  boolean makes(StreamMistake which) {
    return mistake.filter(it -> it == which).isPresent();
  }

  /** Returns the state of a checkpoint, including the intentional mistake. */
  StreamState mistaken(StreamState state, List<LineageEntry> appending) {
    return mistake.map(it -> it.of(state, appending)).orElse(state);
  }
}
