package dev.braid.chaos.sim;

import dev.braid.chaos.sim.Disturbances.Rate;
import dev.braid.chaos.sim.FaultCounts.Disturbance;
import dev.braid.chaos.sim.check.EpochReports;
import dev.braid.chaos.sim.check.UpdateCheck;
import dev.braid.chaos.sim.condition.Seeds;
import dev.braid.loop.coordinator.BareCoordinator.Failover;
import dev.braid.loop.coordinator.Coordinator;
import dev.braid.loop.coordinator.HoldOutcome;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Checkpoints as Flink takes them, one at a time. When the loop's coordinator holds all ranks, a
 * barrier arrives at each at a different time; the rank writes its part and resumes. The checkpoint
 * is complete some time after all ranks have written their parts. Until then it may be aborted at
 * any time, and the next may begin at once. The storage may be slow, so that the checkpoint
 * expires, or fail, which aborts it.
 *
 * <p>In asynchronous exchanges, no rank resumes after some of the checkpoints: all are restored
 * from it, like a job that is stopped with a savepoint and started from it.
 */
final class SimulatedCheckpoints {

  private static final long MAX_BARRIER_NANOS = 1_000_000;
  private static final long MAX_COMPLETION_NANOS = 2_000_000;

  /** Greatest time of a slow write to the storage, which is longer than a checkpoint may take. */
  private static final long MAX_SLOW_WRITE_NANOS = 3_000_000_000L;

  /** Time of a write after which the checkpoint expires. */
  private static final long MAX_WRITE_NANOS = 1_000_000_000;

  private static final long MAX_SLOW_BARRIER_NANOS = 3_000_000_000L;

  /**
   * Greatest delay of a slow barrier in asynchronous exchanges, where ranks soon resume without a
   * rank that they wait for.
   */
  private static final long MAX_SLOW_BARRIER_NANOS_AT_OWN_PACE = 200_000_000;

  /** Number of events after which a checkpoint that came too early is tried again. */
  private static final int EVENTS_UNTIL_NEXT_TRY = 20;

  /**
   * Maximum number of crashes and of stops: a run in which ranks crash or stop in every checkpoint
   * would not end.
   */
  private static final int MOST_CRASHES = 10;

  private static final int MOST_STOPS = 10;

  private enum Stage {
    /** No checkpoint is in progress. */
    NONE,
    /** Ranks are being held. */
    HOLDING,
    /** Barriers are in flight to ranks. */
    TAKING,
    /** All ranks have written their parts. */
    WRITTEN
  }

  /**
   * Content of a complete checkpoint.
   *
   * @param parts part that each rank wrote, by rank; empty before the first checkpoint
   * @param known actions that restore what the check knows of each rank, by rank
   * @param coordinator state of the coordinator
   * @param members number of ranks that were not excluded
   */
  record Kept(
      long number,
      List<byte[]> parts,
      List<Runnable> known,
      Optional<byte[]> coordinator,
      int members) {}

  private final List<SimulatedRank> ranks;
  private final ControlPlane control;
  private final EventQueue events;
  private final UpdateCheck check;
  private final EpochReports reports;
  private final FaultCounts counts;
  private final Tampering tampering;
  private final SplittableRandom random;
  private final ArrayDeque<Long> due = new ArrayDeque<>();
  private final long intervalNanos;
  private final Disturbances disturbances;
  private final SplittableRandom storage;
  private final byte[][] parts;
  private final Runnable[] known;
  private final BitSet written = new BitSet();

  private Kept last;
  private Stage stage = Stage.NONE;
  private boolean isBeginning;

  /**
   * Random number that is drawn for each checkpoint and decides how it is interrupted, and when.
   */
  private double interruption;

  private boolean interruptedWhenHeld;
  private int crashesLeft = MOST_CRASHES;
  private int stopsLeft = MOST_STOPS;
  private boolean isStopping;
  private Optional<byte[]> coordinatorState = Optional.empty();
  private long number;

  /** Time when all parts that were written so far are stored, in nanoseconds. */
  private long storedNanos;

  /** Number of ranks that are in the view when the checkpoint is taken. */
  private int members;

  private int taken;
  private int declined;
  private long nextNanos;

  SimulatedCheckpoints(
      Simulation simulation,
      List<SimulatedRank> ranks,
      ControlPlane control,
      EventQueue events,
      UpdateCheck check,
      EpochReports reports,
      FaultCounts counts,
      Tampering tampering) {
    this.ranks = ranks;
    this.control = control;
    this.events = events;
    this.check = check;
    this.reports = reports;
    this.counts = counts;
    this.tampering = tampering;
    this.random = Seeds.of(simulation.seed(), -1);
    Arrays.stream(simulation.checkpointsAfterEvents()).sorted().forEach(due::add);
    this.intervalNanos = simulation.checkpointIntervalNanos();
    this.nextNanos = intervalNanos == 0 ? Long.MAX_VALUE : intervalNanos;
    this.disturbances = simulation.disturbances();
    this.storage = Seeds.of(simulation.seed(), -4);
    this.parts = new byte[ranks.size()][];
    this.known = new Runnable[ranks.size()];
    this.last =
        new Kept(
            Coordinator.NO_CHECKPOINT,
            simulation.parts(),
            IntStream.range(0, ranks.size()).mapToObj(this::known).toList(),
            Optional.empty(),
            ranks.size());
  }

  private Runnable known(int rank) {
    Runnable updates = check.saved(rank);
    Runnable epochs = reports.saved(rank);
    return () -> {
      updates.run();
      epochs.run();
    };
  }

  /**
   * Begins a checkpoint if it is due and the previous one is over.
   *
   * @param areThrough whether ranks have no round left: checkpoints at an interval would then
   *     follow each other forever, since a checkpoint in progress is a reason for the run to
   *     continue
   */
  void beginIfDue(boolean areThrough) {
    if (stage == Stage.NONE && isDue(areThrough)) {
      begin();
    }
  }

  private void begin() {
    long begun = ++number;
    stage = Stage.HOLDING;
    isBeginning = true;
    control
        .coordinator()
        .checkpoint(
            begun,
            new HoldOutcome() {
              @Override
              public void held(byte[] state) {
                SimulatedCheckpoints.this.held(begun, state);
              }

              @Override
              public void declined(String reason) {
                SimulatedCheckpoints.this.declined(begun);
              }

              @Override
              public void failed(String reason) {
                SimulatedCheckpoints.this.declined(begun);
              }
            });
    isBeginning = false;
    interruption = random.nextDouble();
    interruptedWhenHeld = random.nextBoolean();
    if (stage == Stage.HOLDING && !interruptedWhenHeld) {
      interruptWithin(1L << random.nextInt(10, 28));
    }
  }

  /** Aborts this checkpoint, or lets all ranks crash, within a time, if that was drawn for it. */
  private void interruptWithin(long nanos) {
    double aborted = disturbances.of(Rate.ABORTS);
    boolean crashes =
        interruption >= aborted
            && interruption < aborted + disturbances.of(Rate.CRASHES)
            && crashesLeft-- > 0;
    if (crashes || interruption < aborted) {
      Event.Kind kind = crashes ? Event.Kind.CRASH : Event.Kind.ABORT;
      events.schedule(events.nowNanos() + random.nextLong(nanos), kind, 0, number);
    }
  }

  private boolean isDue(boolean areThrough) {
    if (!due.isEmpty() && due.element() <= events.happened()) {
      due.remove();
      return true;
    }
    if (!areThrough && nextNanos <= events.nowNanos()) {
      nextNanos += intervalNanos;
      return true;
    }
    return false;
  }

  private void held(long held, byte[] state) {
    if (held != number || stage != Stage.HOLDING) {
      throw new IllegalStateException("checkpoint " + held + " continues, but it is over");
    }
    stage = Stage.TAKING;
    coordinatorState = Optional.of(state);
    written.clear();
    storedNanos = events.nowNanos();
    members = control.view().size();
    boolean isSynchronous = ranks.get(0).isSynchronous();
    if (!isSynchronous) {
      check.quiet();
    }
    isStopping = !isSynchronous && disturbances.occurs(Rate.STOPS, random) && stopsLeft-- > 0;
    long maxSlow = isSynchronous ? MAX_SLOW_BARRIER_NANOS : MAX_SLOW_BARRIER_NANOS_AT_OWN_PACE;
    control.close();
    for (int rank = 0; rank < ranks.size(); rank++) {
      boolean isSlow = disturbances.occurs(Rate.SLOW_BARRIERS, random);
      long most = isSlow ? maxSlow : MAX_BARRIER_NANOS;
      control.barrier(rank, events.nowNanos() + Seeds.between(random, 0, most), held);
    }
    if (interruptedWhenHeld) {
      interruptWithin(1L << random.nextInt(10, 24));
    }
  }

  private void declined(long ofNumber) {
    if (ofNumber != number || stage != Stage.HOLDING) {
      return;
    }
    stage = Stage.NONE;
    if (isBeginning) {
      // Not all ranks run yet, which is no reason to skip the checkpoint. One more try is enough,
      // or
      // checkpoints without a pause would add a try each.
      long again = events.happened() + EVENTS_UNTIL_NEXT_TRY;
      if (due.isEmpty() || due.element() > again) {
        due.addFirst(again);
      }
    } else {
      declined++;
      counts.count(Disturbance.DECLINED);
    }
  }

  /** Delivers a barrier to a rank. */
  void barrier(int rank, long ofNumber) {
    SimulatedRank one = ranks.get(rank);
    if (ofNumber != number || stage != Stage.TAKING) {
      // The rank has heard of the abort and lets the barrier pass, or it has not heard of it yet.
      if (random.nextBoolean()) {
        one.save(ofNumber);
        one.resume(ofNumber);
      }
      return;
    }
    parts[rank] = one.save(ofNumber);
    known[rank] = known(rank);
    written.set(rank);
    store();
    if (!isStopping) {
      one.resume(ofNumber);
      control.open(rank);
    }
    if (written.cardinality() == ranks.size()) {
      stage = Stage.WRITTEN;
      long nanos =
          Math.max(storedNanos, events.nowNanos()) + Seeds.between(random, 0, MAX_COMPLETION_NANOS);
      events.schedule(nanos, Event.Kind.COMPLETE, 0, number);
    }
  }

  /** Stores the part that a rank has written, which may take long, or fail. */
  private void store() {
    // All orders of magnitude: most slow writes still end in time.
    long slow =
        disturbances.occurs(Rate.SLOW_WRITES, storage)
            ? Seeds.between(storage, 0, MAX_SLOW_WRITE_NANOS >> storage.nextInt(12))
            : 0;
    long nanos = events.nowNanos() + slow;
    if (slow > MAX_WRITE_NANOS) {
      counts.count(Disturbance.EXPIRED);
      events.schedule(events.nowNanos() + MAX_WRITE_NANOS, Event.Kind.ABORT, 0, number);
    } else if (disturbances.occurs(Rate.FAILED_WRITES, storage)) {
      counts.count(Disturbance.WRITE_FAILED);
      events.schedule(nanos, Event.Kind.ABORT, 0, number);
    }
    storedNanos = Math.max(storedNanos, nanos);
  }

  /**
   * Completes a checkpoint, unless it was aborted.
   *
   * @return how all ranks are to be restored from it; empty if they continue
   */
  Optional<Failover> complete(long ofNumber) {
    if (ofNumber != number || stage != Stage.WRITTEN) {
      return Optional.empty();
    }
    stage = Stage.NONE;
    taken++;
    counts.count(Disturbance.COMPLETED);
    last =
        new Kept(number, List.of(parts.clone()), List.of(known.clone()), coordinatorState, members);
    if (disturbances.occurs(Rate.LOST_COMPLETIONS, random) && crashesLeft-- > 0) {
      counts.count(Disturbance.COMPLETION_LOST);
      return Optional.of(Failover.JOB_MANAGER);
    }
    control.coordinator().completed(number);
    return isStopping ? Optional.of(failover()) : Optional.empty();
  }

  /** Draws the scope of a restart. */
  Failover failover() {
    if (disturbances.occurs(Rate.OTHER_JOB_MANAGERS, random)) {
      return Failover.JOB_MANAGER;
    }
    return random.nextBoolean() ? Failover.JOB : Failover.REGION;
  }

  /** Aborts a checkpoint, unless it is over. */
  void abort(long ofNumber) {
    if (ofNumber != number || stage == Stage.NONE) {
      return;
    }
    counts.count(
        switch (stage) {
          case HOLDING -> Disturbance.ABORTED_HOLDING;
          case TAKING ->
              written.isEmpty() ? Disturbance.ABORTED_HELD : Disturbance.ABORTED_PART_WRITTEN;
          case WRITTEN -> Disturbance.ABORTED_WRITTEN;
          case NONE -> throw new AssertionError();
        });
    if (isStopping && stage != Stage.HOLDING) {
      // The ranks that have written their parts have not resumed.
      for (int rank = 0; rank < ranks.size(); rank++) {
        if (written.get(rank)) {
          ranks.get(rank).resume(number);
        }
      }
    }
    stage = Stage.NONE;
    if (tampering.resumesAtAbort()) {
      ranks.forEach(rank -> rank.resume(number));
    }
    control.openAll();
    control.coordinator().aborted(number);
  }

  /** Counts a crash of all ranks, and abandons the checkpoint in progress. */
  void crash() {
    counts.count(
        switch (stage) {
          case NONE -> Disturbance.CRASHED;
          case HOLDING -> Disturbance.CRASHED_HOLDING;
          case TAKING, WRITTEN -> Disturbance.CRASHED_TAKING;
        });
    abandon();
  }

  /** Abandons the checkpoint in progress, since all ranks are about to be restored. */
  void abandon() {
    counts.count(last.parts().isEmpty() ? Disturbance.BEGUN_AGAIN : Disturbance.RESTORED);
    if (last.members() < ranks.size()) {
      counts.count(Disturbance.RESTORED_WITH_EXCLUDED);
    }
    stage = Stage.NONE;
  }

  /** Returns the checkpoint from which ranks resume after a crash. */
  Kept last() {
    return last;
  }

  boolean underWay() {
    return stage != Stage.NONE;
  }

  int countTaken() {
    return taken;
  }

  int countDeclined() {
    return declined;
  }
}
