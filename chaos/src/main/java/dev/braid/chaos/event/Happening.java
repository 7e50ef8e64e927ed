package dev.braid.chaos.event;

import java.util.Optional;

/**
 * A change of an event's state: it takes effect, is ignored, or ends.
 *
 * @param outcome what happened
 * @param event event to which it happened
 * @param rank a rank that the event concerns: the first one that its messages lead to; for
 *     isolation, the first that is not isolated
 * @param nanos when, in nanoseconds from the start of training
 * @param round the last round of which a message was seen
 * @param reason why it was ignored, or what ended it; may be empty
 * @param touched link of the message on which it acted; empty for other outcomes, and in lines of
 *     versions of Braid that did not record it
 */
public record Happening(
    Outcome outcome,
    ChaosEvent event,
    int rank,
    long nanos,
    long round,
    String reason,
    Optional<Link> touched) {

  /** Creates a happening that does not concern a message. */
  public Happening(
      Outcome outcome, ChaosEvent event, int rank, long nanos, long round, String reason) {
    this(outcome, event, rank, nanos, round, reason, Optional.empty());
  }

  /** Returns a copy that concerns a message on a link. */
  public Happening on(Link link) {
    return new Happening(outcome, event, rank, nanos, round, reason, Optional.of(link));
  }

  /** Reason of an event that was in force when its run was restored. */
  public static final String RESTORED = "already in force";

  /** Reason of an event that has ended after its duration. */
  public static final String TIME_IS_OVER = "its time is over";

  /** Reason of an event whose ranks no longer exist, since its run has resumed with fewer. */
  public static final String RANKS_ARE_GONE =
      "the run has continued with fewer ranks than the event names";

  /** Reason of an event that was in force at the end of training. */
  public static final String TRAINING_ENDED = "training has ended";

  /** Reason of an event whose start did not come before the end of training. */
  public static final String NEVER_DUE = "training ended before its start";

  /** Returns whether it happened because training has ended. */
  public boolean isOfTheEnd() {
    return isNeverDue() || (outcome == Outcome.ENDED && reason.equals(TRAINING_ENDED));
  }

  /** Returns whether the event's start did not come before the end of training. */
  public boolean isNeverDue() {
    return outcome == Outcome.IGNORED && reason.equals(NEVER_DUE);
  }

  /** Returns whether the event was in force before the run was restored, and still is. */
  public boolean isRestored() {
    return outcome == Outcome.APPLIED && reason.equals(RESTORED);
  }

  /** Returns whether the event has ended after its duration. */
  public boolean isTimeOver() {
    return outcome == Outcome.ENDED && reason.equals(TIME_IS_OVER);
  }

  /** Outcomes of events. */
  public enum Outcome {
    /** It is in force from this moment on, or has ended other events. */
    APPLIED,
    /** It acted on a message for the first time, as seen by the links of one rank. */
    TOUCHED,
    /** It changed nothing. */
    IGNORED,
    /** It was in force and has ended. */
    ENDED;

    /** Returns the name in logs. */
    public String title() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }
}
