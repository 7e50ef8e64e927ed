package dev.braid.chaos.event;

/**
 * Effect of an event on its links or ranks.
 *
 * <p>Actions that lose, hold back or change messages concern links; {@link Straggle}, {@link
 * Isolate} and {@link Rejoin} concern ranks. A fault lasts for its event's duration, or until
 * {@link Heal} or {@link Rejoin} ends it; these two have no duration themselves. Faults on one link
 * add up: each acts on the messages that the others let pass.
 */
public sealed interface Action {

  /** Returns the name of the action in events. */
  default String title() {
    return Title.of(this);
  }

  /** Returns whether it concerns ranks instead of links. */
  default boolean concernsRanks() {
    return Title.concernsRanks(title());
  }

  /** Returns whether it ends faults instead of being one. */
  default boolean ends() {
    return this instanceof Heal || this instanceof Rejoin;
  }

  /** Every message is lost. */
  record Cut() implements Action {}

  /** All faults of the links end, except isolation, which belongs to ranks. */
  record Heal() implements Action {}

  /**
   * Messages arrive later, in the same order.
   *
   * @param delayMillis least delay, in ms
   * @param jitterMillis greatest additional delay, drawn uniformly, in ms
   */
  record Delay(long delayMillis, long jitterMillis) implements Action {}

  /** Messages are lost with this probability. */
  record Drop(double probability) implements Action {}

  /** Messages arrive twice with this probability. */
  record Duplicate(double probability) implements Action {}

  /**
   * Messages are overtaken by later ones.
   *
   * @param probability probability that a message is held back
   * @param withinMillis greatest time for which it is held back, drawn uniformly, in ms
   */
  record Reorder(double probability, long withinMillis) implements Action {}

  /**
   * Bits of messages are flipped with this probability; their checksum shows it, and they are lost.
   */
  record Corrupt(double probability) implements Action {}

  /** The link carries at most this rate, and messages queue for it. */
  record Throttle(long bytesPerSecond) implements Action {}

  /** The ranks compute slower by this factor. */
  record Straggle(double factor) implements Action {}

  /** Every message from and to the ranks is lost. */
  record Isolate() implements Action {}

  /** Isolation and straggling of the ranks end. */
  record Rejoin() implements Action {}
}
