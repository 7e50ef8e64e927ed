package dev.braid.chaos.sim;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Checkpoints as the loop's coordinator takes them. All ranks freeze.
 *
 * <p>Synchronous exchanges: the last round that any of them has completed is named; those that lag
 * complete it from messages that were already sent; all roll back what they had begun beyond it.
 *
 * <p>Asynchronous exchanges: all flush, until all are quiet; what is in flight then is dropped, and
 * all are restored. Where a rank is found to be out of reach meanwhile, or was before, the
 * checkpoint is declined: nothing is dropped.
 *
 * <p>Then all go on, not at once.
 */
final class Checkpoints {

  private static final long MAX_RESUME_NANOS = 1_000_000;

  /** A few ranks take far longer than a round, as a restore does. */
  private static final double SLOW_RESUME_SHARE = 0.05;

  private static final long MAX_SLOW_RESUME_NANOS = 3_000_000_000L;

  private final List<SimulatedRank> ranks;
  private final Network network;
  private final EventQueue events;
  private final UpdateCheck check;
  private final SplittableRandom random;
  private final ArrayDeque<Long> due = new ArrayDeque<>();
  private final long intervalNanos;
  private final BitSet paused = new BitSet();

  private boolean pausing;
  private int resuming;
  private long lastRounds;
  private int taken;
  private int declined;
  private long nextNanos;

  /**
   * @param afterEvents after how many events a checkpoint begins
   * @param intervalNanos how often one begins besides; 0 for never
   */
  Checkpoints(
      long[] afterEvents,
      long intervalNanos,
      List<SimulatedRank> ranks,
      Network network,
      EventQueue events,
      UpdateCheck check,
      SplittableRandom random) {
    this.ranks = ranks;
    this.network = network;
    this.events = events;
    this.check = check;
    this.random = random;
    Arrays.stream(afterEvents).sorted().forEach(due::add);
    this.intervalNanos = intervalNanos;
    this.nextNanos = intervalNanos == 0 ? Long.MAX_VALUE : intervalNanos;
  }

  /** Begins a checkpoint if it is time and the one before is over. */
  void beginIfDue() {
    if (pausing || resuming > 0 || !isDue()) {
      return;
    }
    pausing = true;
    ranks.forEach(SimulatedRank::freeze);
    declineIfHopeless();
    if (!pausing) {
      return;
    }
    if (!isSynchronous()) {
      ranks.forEach(SimulatedRank::flush);
      goOnIfAllQuiet();
      return;
    }
    lastRounds = ranks.stream().mapToLong(SimulatedRank::joint).max().orElseThrow();
    for (int rank = 0; rank < ranks.size(); rank++) {
      pauseIfThere(rank);
    }
  }

  private boolean isDue() {
    if (!due.isEmpty() && due.element() <= events.happened()) {
      due.remove();
      return true;
    }
    if (nextNanos <= events.nowNanos()) {
      nextNanos += intervalNanos;
      return true;
    }
    return false;
  }

  /** Declines the checkpoint under way where something of it does not arrive for long. */
  void declineIfHopeless() {
    if (pausing && !isSynchronous() && ranks.stream().anyMatch(SimulatedRank::lacksAnother)) {
      declined++;
      resumeAll(0);
    }
  }

  /** Delivers a message, unless it belongs to a round that was or will be rolled back. */
  void deliver(Event arrival) {
    var message = arrival.message().orElseThrow();
    boolean rolledBack =
        isSynchronous()
            && pausing
            && message.body().belongsToRound()
            && message.round() >= lastRounds;
    if (rolledBack || !network.isOfThisEpoch(arrival)) {
      message.release();
      return;
    }
    ranks.get(arrival.rank()).receive(message);
    if (pausing && isSynchronous()) {
      pauseIfThere(arrival.rank());
    } else if (pausing) {
      goOnIfAllQuiet();
    }
  }

  private boolean isSynchronous() {
    return ranks.get(0).isSynchronous();
  }

  private void goOnIfAllQuiet() {
    if (!ranks.stream().allMatch(SimulatedRank::isQuiet)) {
      return;
    }
    // What is still in flight is dropped, and must not count: repetitions, and a transport's own.
    check.quiet();
    ranks.forEach(SimulatedRank::restore);
    goOn();
  }

  void resume(int rank) {
    resuming--;
    ranks.get(rank).resume();
  }

  boolean underWay() {
    return pausing || resuming > 0;
  }

  int taken() {
    return taken;
  }

  int declined() {
    return declined;
  }

  private void pauseIfThere(int rank) {
    long completed = ranks.get(rank).joint();
    if (completed > lastRounds) {
      throw new IllegalStateException(
          "rank %d completed %d rounds while a checkpoint waits for %d"
              .formatted(rank, completed, lastRounds));
    }
    if (ranks.get(rank).isThrough(lastRounds) && !paused.get(rank)) {
      paused.set(rank);
      ranks.get(rank).rollBack();
      if (paused.cardinality() == ranks.size()) {
        goOn();
      }
    }
  }

  private void goOn() {
    taken++;
    network.nextEpoch();
    resumeAll(SLOW_RESUME_SHARE);
  }

  /**
   * @param slowShare how many take far longer than a round; none where nothing was saved
   */
  private void resumeAll(double slowShare) {
    pausing = false;
    paused.clear();
    resuming = ranks.size();
    for (int rank = 0; rank < ranks.size(); rank++) {
      boolean isSlow = random.nextDouble() < slowShare;
      long most = isSlow ? MAX_SLOW_RESUME_NANOS : MAX_RESUME_NANOS;
      long nanos = events.nowNanos() + Seeds.between(random, 0, most);
      events.schedule(nanos, Event.Kind.RESUME, rank, network.epoch());
    }
  }
}
