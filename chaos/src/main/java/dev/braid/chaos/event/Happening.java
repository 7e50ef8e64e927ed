package dev.braid.chaos.event;

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
 */
public record Happening(
    Outcome outcome, ChaosEvent event, int rank, long nanos, long round, String reason) {

  /** What happens to events. */
  public enum Outcome {
    /** It took effect. */
    APPLIED,
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
