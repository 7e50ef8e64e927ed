package dev.braid.worker;

import dev.braid.learner.Batch;
import dev.braid.learner.Learner;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Where a rank is in its data: its batches, one for each round, its rounds and its epochs.
 *
 * <p>The batch of the last round is used up only when it is certain that the round counts: a rank
 * may complete a round and then be cut off from all others, who do the round again without it.
 */
final class Position {

  private record Used(Batch batch, long round) {}

  private final TrainerHost host;
  private final boolean mayBeSetBack;
  private final Deque<Batch> waiting = new ArrayDeque<>();

  private Optional<Used> last = Optional.empty();
  private long rounds;
  private long missedUntil;
  private OptionalInt openEpoch;
  private int endedEpochs;

  /**
   * Where a rank begins.
   *
   * @param mayBeSetBack whether a round that is complete here may still not count
   */
  Position(
      TrainerHost host, boolean mayBeSetBack, long rounds, OptionalInt openEpoch, int endedEpochs) {
    this.host = host;
    this.mayBeSetBack = mayBeSetBack;
    this.rounds = rounds;
    this.openEpoch = openEpoch;
    this.endedEpochs = endedEpochs;
  }

  void add(Batch batch) {
    waiting.add(batch);
    dropMissed();
  }

  boolean hasNext() {
    return !waiting.isEmpty();
  }

  Batch next() {
    return waiting.element();
  }

  /** The batch behind the next one, if it is there already. */
  Optional<Batch> following() {
    return waiting.stream().skip(1).findFirst();
  }

  /** How many rounds are behind this rank. */
  long rounds() {
    return rounds;
  }

  /** An epoch that has ended and is not closed. */
  OptionalInt openEpoch() {
    return openEpoch;
  }

  int endedEpochs() {
    return endedEpochs;
  }

  void closeEpoch() {
    openEpoch = OptionalInt.empty();
  }

  /** The round of the next batch is complete; that of the one before counts for certain. */
  Batch complete() {
    settle();
    Batch batch = waiting.remove();
    last = Optional.of(new Used(batch, rounds));
    host.batchTaken();
    goOnFrom(batch);
    if (!mayBeSetBack) {
      settle();
    }
    return batch;
  }

  /** The last round counts, too. */
  void settle() {
    last.ifPresent(used -> host.batchUsed(used.batch(), used.round()));
    last = Optional.empty();
  }

  /** Nothing follows. A rank that is left out has missed the epoch that is open. */
  void end(boolean leftOut) {
    if (leftOut) {
      missEpoch();
    }
    settle();
  }

  /** The last round does not count: its batch is the next one again. */
  void setBack() {
    Batch batch = last.orElseThrow().batch();
    last = Optional.empty();
    waiting.addFirst(batch);
    rounds--;
    if (batch.lastOfEpoch()) {
      openEpoch = OptionalInt.empty();
      endedEpochs = batch.epoch();
    }
  }

  private void goOnFrom(Batch batch) {
    rounds++;
    if (batch.lastOfEpoch()) {
      openEpoch = OptionalInt.of(batch.epoch());
      endedEpochs = batch.epoch() + 1;
    }
  }

  // ---- rounds that went without this rank ------------------------------------------------------

  /** Rounds before this one went without this rank: drops their batches, as they come. */
  void missUntil(long round) {
    missedUntil = Math.max(missedUntil, round);
    dropMissed();
  }

  /** Whether batches are still to be dropped. */
  boolean isBehind() {
    return rounds < missedUntil;
  }

  private void dropMissed() {
    while (isBehind() && hasNext()) {
      missEpoch();
      settle();
      Batch batch = waiting.remove();
      host.batchTaken();
      host.batchDropped();
      goOnFrom(batch);
    }
  }

  /** Others have evaluated the open epoch without this rank. */
  private void missEpoch() {
    if (openEpoch.isPresent()) {
      host.epochEvaluated(openEpoch.getAsInt(), rounds, Learner.Score.NONE);
      closeEpoch();
    }
  }
}
