package dev.braid.worker;

import java.util.EnumSet;
import java.util.Set;

/**
 * Where a rank is in its training, and the table of what may follow. {@link Trainer} draws it.
 *
 * <p>From every state but the last a rank may become idle: it has come to another place in its
 * data, by a copy of the model, a round that is set back or one that went without it, and what it
 * was doing was for the place that it has left.
 */
enum TrainerState {
  /** Finds out what is next: a gradient, an epoch's evaluation, or the end. */
  IDLE,
  /** Its gradient is computed elsewhere. */
  COMPUTING,
  /** Has a gradient, which it has not contributed yet, or is to contribute again. */
  READY,
  /** Has contributed; its round is under way. */
  EXCHANGING,
  /** Its share of the test set is evaluated elsewhere, at an epoch's end. */
  SCORING,
  /** Has asked whether training stops after an epoch. */
  AWAITING_VERDICT,
  /** Does no more rounds; what it hands over is made ready. */
  TAKING_RESULT,
  /** Waits until all that it has sent has arrived. */
  ENDING,
  /** Evaluates the model as it is in the end, where that is another than was evaluated before. */
  SCORING_RESULT,
  /** Has said that it is done; others may not be, and may have to be waited for once more. */
  DONE,
  /** Has handed over what the run is for: the last state. */
  HANDED_OVER;

  /** Whether a round is next, or under way. */
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
   * The state that follows.
   *
   * @throws IllegalStateException if it may not follow this one
   */
  TrainerState become(TrainerState other) {
    if (!next().contains(other)) {
      throw new IllegalStateException("a rank that is " + this + " became " + other);
    }
    return other;
  }
}
