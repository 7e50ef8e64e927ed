package dev.braid.exchange.message;

/**
 * Messages that establish which ranks hear each other. They are not numbered, and are valid in any
 * view and round.
 */
public sealed interface Presence extends Body {

  @Override
  default boolean belongsToRound() {
    return false;
  }

  /**
   * Sign that the sender can be heard.
   *
   * @param poll number of the arbiter's poll that asked for it
   */
  record Hello(long poll) implements Presence {}

  /**
   * Question whether the sender, which is left out of the view with this number, is heard again.
   */
  record Knock(long view) implements Presence {}

  /** Answer to a {@link Knock}, from a member of that view. */
  record Knocked(long view) implements Presence {}
}
