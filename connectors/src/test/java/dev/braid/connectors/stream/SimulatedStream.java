package dev.braid.connectors.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.connectors.lineage.LineageEntry;
import dev.braid.connectors.lineage.LineageEntry.Began;
import dev.braid.connectors.stream.StreamChecks.Offsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * A run from a topic in virtual time, with the real {@link Dealer}. Partitions grow and are added.
 * Readers are in step, or each has its own pace. Appends take time or fail, checkpoints are
 * completed or declined, and all readers or the enumerator crash. A replaced enumerator may stay
 * alive for a while. After some time all faults end, and the run has to use up the topic. The seed
 * determines everything.
 */
final class SimulatedStream {

  /** Kind of event that a run counts. */
  enum Event {
    ROUND,
    APPEND,
    LATE_APPEND,
    RESTART,
    RESCALED,
    OTHER_BATCH,
    IN_PLACE,
    ZOMBIE,
    CONFLICT,
    FAILED_APPEND,
    FAILED_BUT_THERE,
    COMPLETE,
    DECLINED,
    DURING_APPEND,
    LOST_LOOK,
    ADDED_PARTITION,
    END
  }

  private static final long FAULTS_MILLIS = 500;
  private static final long LAST_MILLIS = 60_000;
  static final long LONGEST_LOOK = 15;
  static final long LONGEST_APPEND = 40;

  private record Task(long time, long order, Runnable action) {}

  record Checkpoint(StreamState state, List<StreamPosition> positions, Offsets used) {}

  final long seed;
  private final Optional<StreamMistake> mistake;
  final SplittableRandom random;
  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(Comparator.comparingLong(Task::time).thenComparingLong(Task::order));
  final SortedMap<Integer, Long> starts = new TreeMap<>();
  final SortedMap<Integer, Long> ends = new TreeMap<>();
  final SortedMap<Integer, Long> until = new TreeMap<>();
  final List<LineageEntry> lineage = new ArrayList<>();
  final StreamChecks checks = new StreamChecks(lineage);
  private final Map<Event, Integer> tally = new EnumMap<>(Event.class);
  final boolean isInStep;
  final long maxWait;
  Optional<Checkpoint> last = Optional.empty();
  StreamAttempt current;
  long checkpoints;
  private long order;
  long now;

  SimulatedStream(long seed, Optional<StreamMistake> mistake) {
    this.seed = seed;
    this.mistake = mistake;
    random = new SplittableRandom(seed);
    isInStep = random.nextInt(3) > 0;
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

  /** Runs until everything is used, and returns the number of events of each kind. */
  Map<Event, Integer> run() {
    try {
      current = new StreamAttempt(this, 1 + random.nextInt(4), 1 + random.nextInt(4));
      every(1, 30, this::grow);
      every(10, 150, () -> ifFaulty(() -> current.crash(Event.RESTART)));
      every(10, 150, () -> ifFaulty(() -> current.failInPlace()));
      while (!isDone()) {
        Task next = tasks.remove();
        now = next.time();
        assertThat(now)
            .as("time at which not all is used: %s of %s", current, ends)
            .isLessThan(LAST_MILLIS);
        next.action().run();
      }
      checks.ended(starts, until.isEmpty() ? ends : until, isInStep);
      return tally;
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError("seed %d at %d ms: %s".formatted(seed, now, e), e);
    }
  }

  boolean isFaulty() {
    return now < FAULTS_MILLIS;
  }

  private void ifFaulty(Runnable action) {
    if (isFaulty()) {
      action.run();
    }
  }

  private boolean isDone() {
    return now >= FAULTS_MILLIS + LONGEST_APPEND && current.isDone();
  }

  SortedMap<Integer, Long> target() {
    return until.isEmpty() ? ends : until;
  }

  // ---- time ------------------------------------------------------------------------------------

  long between(long least, long greatest) {
    return least + random.nextLong(greatest - least + 1);
  }

  boolean oneIn(int times) {
    return random.nextInt(times) == 0;
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

  void count(Event event) {
    tally.merge(event, 1, Integer::sum);
  }

  // ---- the topic -------------------------------------------------------------------------------

  private void addPartition() {
    long start = between(0, 3);
    starts.put(starts.size(), start);
    ends.put(ends.size(), start);
  }

  private void grow() {
    if (!isFaulty()) {
      until.forEach((partition, end) -> ends.merge(partition, end, Math::max));
    } else if (oneIn(40) && starts.size() < 7) {
      count(Event.ADDED_PARTITION);
      addPartition();
    } else if (oneIn(60)) {
      ends.replaceAll((partition, end) -> end + between(0, 200));
    } else {
      ends.replaceAll((partition, end) -> oneIn(2) ? end : end + between(0, 5));
    }
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
