package dev.braid.chaos.sim;

import dev.braid.chaos.sim.check.UpdateCheck;
import dev.braid.chaos.sim.condition.Seeds;
import dev.braid.loop.BareCoordinator;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Checkpoints, one at a time, as Flink takes them: when the loop's coordinator has all ranks held,
 * each takes its part at another moment and goes on. Where ranks go their own pace, they do so as
 * after a restart at some checkpoints, and as they are at others.
 */
final class SimulatedCheckpoints implements BareCoordinator.Outcome {

  private static final long MAX_RESUME_NANOS = 1_000_000;

  /** A few ranks take far longer than a round, as a restore does. */
  private static final double SLOW_RESUME_SHARE = 0.05;

  private static final long MAX_SLOW_RESUME_NANOS = 3_000_000_000L;

  /** Where ranks go their own pace they would soon go on without one that they wait for so long. */
  private static final long MAX_SLOW_RESUME_NANOS_AT_OWN_PACE = 200_000_000;

  private final List<SimulatedRank> ranks;
  private final ControlPlane control;
  private final EventQueue events;
  private final UpdateCheck check;
  private final SplittableRandom random;
  private final ArrayDeque<Long> due = new ArrayDeque<>();
  private final long intervalNanos;

  private boolean holding;
  private boolean restarting;
  private int resuming;
  private long number;
  private int taken;
  private int declined;
  private long nextNanos;

  /**
   * @param afterEvents after how many events a checkpoint begins
   * @param intervalNanos how often one begins besides; 0 for never
   */
  SimulatedCheckpoints(
      long[] afterEvents,
      long intervalNanos,
      List<SimulatedRank> ranks,
      ControlPlane control,
      EventQueue events,
      UpdateCheck check,
      SplittableRandom random) {
    this.ranks = ranks;
    this.control = control;
    this.events = events;
    this.check = check;
    this.random = random;
    Arrays.stream(afterEvents).sorted().forEach(due::add);
    this.intervalNanos = intervalNanos;
    this.nextNanos = intervalNanos == 0 ? Long.MAX_VALUE : intervalNanos;
  }

  /**
   * Begins a checkpoint if it is time and the one before is over.
   *
   * @param areThrough whether ranks have no round left: those at an interval would follow each
   *     other for ever, as what is under way for one is a reason to go on
   */
  void beginIfDue(boolean areThrough) {
    if (!underWay() && isDue(areThrough)) {
      holding = true;
      number++;
      control.coordinator().checkpoint(number, this);
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

  @Override
  public void held() {
    holding = false;
    taken++;
    boolean isSynchronous = ranks.get(0).isSynchronous();
    if (!isSynchronous) {
      check.quiet();
    }
    // Synchronous ones keep what they could be asked for again, and one that is left out of the
    // view has no model.
    restarting = !isSynchronous && random.nextBoolean();
    long maxSlow = isSynchronous ? MAX_SLOW_RESUME_NANOS : MAX_SLOW_RESUME_NANOS_AT_OWN_PACE;
    if (restarting) {
      control.restart();
    }
    control.close();
    resuming = ranks.size();
    for (int rank = 0; rank < ranks.size(); rank++) {
      boolean isSlow = random.nextDouble() < SLOW_RESUME_SHARE;
      long most = isSlow ? maxSlow : MAX_RESUME_NANOS;
      long nanos = events.nowNanos() + Seeds.between(random, 0, most);
      // What was said to a rank before comes before the barrier.
      long barrierNanos = Math.max(nanos, control.heardAllNanos(rank));
      events.schedule(barrierNanos, Event.Kind.RESUME, rank, number);
    }
  }

  @Override
  public void declined() {
    holding = false;
    declined++;
  }

  void resume(int rank) {
    resuming--;
    ranks.get(rank).resume(number, restarting);
    control.open(rank);
  }

  boolean underWay() {
    return holding || resuming > 0;
  }

  int countTaken() {
    return taken;
  }

  int countDeclined() {
    return declined;
  }
}
