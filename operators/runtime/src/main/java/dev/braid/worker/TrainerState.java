package dev.braid.worker;

import java.util.EnumSet;
import java.util.Set;

/**
 * The states of a rank's training and the transitions between them, which {@link Trainer} draws.
 *
 * <p>A rank may become idle from every state but the last: it has moved to another position in its
 * data, because of a copy of the model, a round that is set back or a round that went without it.
 * Its work in progress belonged to the old position.
 */
enum TrainerState {
  /** Looks for the next step: a gradient, an epoch's evaluation, or the end. */
  IDLE,
  /** Its gradient is being computed on the compute thread. */
  COMPUTING,
  /** Has a gradient that it has not contributed yet, or that it must contribute again. */
  READY,
  /** Has contributed; its round is in progress. */
  EXCHANGING,
  /** Evaluates its share of the test set on the compute thread, at an epoch's end. */
  SCORING,
  /** Has asked whether training stops after an epoch. */
  AWAITING_VERDICT,
  /** Does no more rounds and prepares the result that it hands over. */
  TAKING_RESULT,
  /** Waits until all its messages have arrived. */
  ENDING,
  /** Evaluates the final model, if it differs from every model that was evaluated before. */
  SCORING_RESULT,
  /**
   * Has reported that it is done; other ranks may not be done, and it may have to wait for them
   * again.
   */
  DONE,
  /** Has handed over the results of the run: the last state. */
  HANDED_OVER;

  /** Returns whether the rank is between two rounds or in one. */
  boolean isInRound() {
    return EnumSet.of(IDLE, COMPUTING, READY, EXCHANGING).contains(this);
  }

  private Set<TrainerState> next() {
    return switch (this) {
      case IDLE -> EnumSet.of(IDLE, COMPUTING, SCORING, TAKING_RESULT, HANDED_OVER);
      case COMPUTING -> EnumSet.of(READY, IDLE);
      case READY -> EnumSet.of(EXCHANGING, IDLE);
      case EXCHANGING -> EnumSet.of(IDLE, READY);
      case SCORING -> EnumSet.of(AWAITING_VERDICT, IDLE);
      case AWAITING_VERDICT -> EnumSet.of(TAKING_RESULT, IDLE);
      case TAKING_RESULT -> EnumSet.of(ENDING, IDLE);
      case ENDING -> EnumSet.of(SCORING_RESULT, DONE, IDLE);
      case SCORING_RESULT -> EnumSet.of(ENDING, IDLE);
      case DONE -> EnumSet.of(ENDING, IDLE);
      case HANDED_OVER -> EnumSet.noneOf(TrainerState.class);
    };
  }

  /**
   * Returns {@code other}, the state that follows.
   *
   * @throws IllegalStateException if it may not follow this one
   */
  TrainerState become(TrainerState other) {
    if (!next().contains(other)) {
      throw new IllegalStateException("a rank that is " + this + " must not become " + other);
    }
    return other;
  }
}
