package dev.braid.chaos.event;

import java.util.Optional;

/**
 * What became of an event.
 *
 * @param outcome what happened
 * @param event to which event
 * @param rank a rank that the event is about: the first that its messages lead to; of isolation,
 *     the first that is not isolated
 * @param nanos when, from the start of training
 * @param round the last round of which a message was seen
 * @param reason why it was ignored, or what ended it; may be empty
 * @param touched on which link the message went that it acted on; none of other outcomes, and in
 *     lines of Braid's that did not say so
 */
public record Happening(
    Outcome outcome,
    ChaosEvent event,
    int rank,
    long nanos,
    long round,
    String reason,
    Optional<Link> touched) {

  /** Of no message. */
  public Happening(
      Outcome outcome, ChaosEvent event, int rank, long nanos, long round, String reason) {
    this(outcome, event, rank, nanos, round, reason, Optional.empty());
  }

  /** The same of a message on a link. */
  public Happening on(Link link) {
    return new Happening(outcome, event, rank, nanos, round, reason, Optional.of(link));
  }

  /** The reason of an event that was in force when its run was restored. */
  public static final String RESTORED = "already in force";

  /** The reason of an event that has ended by itself. */
  public static final String TIME_IS_OVER = "its time is over";

  /** The reason of an event whose ranks are no more, as its run has gone on with fewer. */
  public static final String RANKS_ARE_GONE =
      "the run has continued with fewer ranks than the event names";

  /** The reason of an event that was in force at the end of training. */
  public static final String TRAINING_ENDED = "training has ended";

  /** The reason of an event whose start has not come before the end of training. */
  public static final String NEVER_DUE = "training ended before its start";

  /** Whether it is told of as training has ended. */
  public boolean isOfTheEnd() {
    return isNeverDue() || (outcome == Outcome.ENDED && reason.equals(TRAINING_ENDED));
  }

  /** Whether its start has not come before the end of training. */
  public boolean isNeverDue() {
    return outcome == Outcome.IGNORED && reason.equals(NEVER_DUE);
  }

  /** Whether it was in force before the run was restored, and still is. */
  public boolean isRestored() {
    return outcome == Outcome.APPLIED && reason.equals(RESTORED);
  }

  /** Whether it has ended by itself. */
  public boolean isTimeOver() {
    return outcome == Outcome.ENDED && reason.equals(TIME_IS_OVER);
  }

  /** What happens to events. */
  public enum Outcome {
    /** It is in force from now on, or has ended what was. */
    APPLIED,
    /** It was the first time that it acted on a message, as the links of one rank have it. */
    TOUCHED,
    /** It changed nothing. */
    IGNORED,
    /** It was in force, and is no longer. */
    ENDED;

    /** As logs have it. */
    public String title() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }
}
