package dev.braid.exchange.message;

/**
 * What transports tell each other. These messages are not numbered themselves; their number is that
 * of the question, and they count whatever the round.
 */
public sealed interface LinkControl extends Body {

  @Override
  default boolean belongsToRound() {
    return false;
  }

  /**
   * What has been received, in answer to a probe or unasked: all up to the transit's number.
   *
   * @param beyond bit i: whether the message i + 1 behind the first that is missing has come, too
   */
  record Acknowledgement(long beyond) implements LinkControl {}

  /** Asks for an acknowledgement along the way that the message itself took. */
  record Probe() implements LinkControl {}

  /** Looks for a way from the beginning of its route to the target. */
  record Find(int target) implements LinkControl {}

  /** The route is a way to the target, and from there on the way that this has come back so far. */
  record WayFound(int target) implements LinkControl {}

  /** Tells the target the way back that was found. */
  record WayBack(int target) implements LinkControl {}
}
