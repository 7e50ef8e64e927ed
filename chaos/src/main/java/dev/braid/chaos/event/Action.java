package dev.braid.chaos.event;

/**
 * What an event does to the links or ranks that it is about.
 *
 * <p>Actions that lose, hold back or change messages concern links; {@link Straggle}, {@link
 * Isolate} and {@link Rejoin} concern ranks. A fault lasts for its event's duration, or until it is
 * ended by {@link Heal} or {@link Rejoin}, which themselves last no time. Faults on one link add
 * up: each acts on what the others let pass.
 */
public sealed interface Action {

  /** The action's name, as events have it. */
  default String title() {
    return Title.of(this);
  }

  /** Whether it is about ranks, and not about links. */
  default boolean concernsRanks() {
    return Title.concernsRanks(title());
  }

  /** Whether it ends faults, and is none itself. */
  default boolean ends() {
    return this instanceof Heal || this instanceof Rejoin;
  }

  /** Every message is lost. */
  record Cut() implements Action {}

  /** All faults of the links end, but for isolation, which is a rank's. */
  record Heal() implements Action {}

  /**
   * Messages arrive later; their order stays.
   *
   * @param delayMillis by how much at least
   * @param jitterMillis by how much more at most, evenly drawn
   */
  record Delay(long delayMillis, long jitterMillis) implements Action {}

  /** Messages are lost with this probability. */
  record Drop(double probability) implements Action {}

  /** Messages arrive twice with this probability. */
  record Duplicate(double probability) implements Action {}

  /**
   * Messages are overtaken by later ones.
   *
   * @param probability that a message is held back
   * @param withinMillis for how long at most, evenly drawn
   */
  record Reorder(double probability, long withinMillis) implements Action {}

  /**
   * Bits of messages are flipped with this probability; their checksum tells, and they are lost.
   */
  record Corrupt(double probability) implements Action {}

  /** The link carries no more than this, and messages queue for it. */
  record Throttle(long bytesPerSecond) implements Action {}

  /** The ranks compute this many times slower. */
  record Straggle(double factor) implements Action {}

  /** Every message from and to the ranks is lost. */
  record Isolate() implements Action {}

  /** Isolation and straggling of the ranks end. */
  record Rejoin() implements Action {}
}
