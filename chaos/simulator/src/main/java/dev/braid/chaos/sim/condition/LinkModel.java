package dev.braid.chaos.sim.condition;

/**
 * How fast the network is: when a message arrives, if nothing is wrong with its link. Faults are
 * chaos events (see {@link dev.braid.chaos.sim.Simulation}), and act on what arrives.
 *
 * <p>A link is an ordered pair of ranks. A model keeps its own state (queues, random sources), is
 * asked in the order of sending, and belongs to one simulation.
 */
@FunctionalInterface
public interface LinkModel {

  /** Links on which nothing takes any time: for a network whose {@code LinkShape} says all. */
  LinkModel INSTANT = (from, to, bytes, nowNanos) -> nowNanos;

  /**
   * When a message arrives: not before it is sent.
   *
   * @param from who sends it
   * @param to who it is for
   * @param bytes its size on the wire
   * @param nowNanos when it is sent
   */
  long arrivalNanos(int from, int to, long bytes, long nowNanos);
}
