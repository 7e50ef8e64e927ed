package dev.braid.chaos.sim.condition;

/**
 * Speed of the network: when a message arrives if its link has no fault. Faults are chaos events
 * (see {@link dev.braid.chaos.sim.Simulation}), and act on messages that arrive.
 *
 * <p>A link is an ordered pair of ranks. A model keeps its own state (queues, random sources), is
 * called in the order of sending, and belongs to one simulation.
 */
@FunctionalInterface
public interface LinkModel {

  /** Links without any delay: for a network that its {@code LinkShape} describes completely. */
  LinkModel INSTANT = (from, to, bytes, nowNanos) -> nowNanos;

  /**
   * Returns when a message arrives, in nanoseconds; not before it is sent.
   *
   * @param from rank that sends it
   * @param to rank that receives it
   * @param bytes its size on the wire
   * @param nowNanos time when it is sent
   */
  long arrivalNanos(int from, int to, long bytes, long nowNanos);
}
