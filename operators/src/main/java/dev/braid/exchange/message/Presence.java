package dev.braid.exchange.message;

/** Who hears whom. Not numbered, and counts whatever the ranks' views and rounds are. */
public sealed interface Presence extends Body {

  @Override
  default boolean belongsToRound() {
    return false;
  }

  /**
   * The sender can be heard.
   *
   * @param poll the arbiter's, in which it was asked to say so
   */
  record Hello(long poll) implements Presence {}

  /** Asks whether the sender, which is left out of the view of this number, is heard again. */
  record Knock(long view) implements Presence {}

  /** The answer, by a member of that view. */
  record Knocked(long view) implements Presence {}
}
