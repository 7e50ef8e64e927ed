package dev.braid.chaos.fault;

/**
 * Takes each fault that has acted on a message between two ranks, repeatedly for the same fault.
 */
@FunctionalInterface
interface Touches {
  void touched(Fault fault, int from, int to, long nowNanos);
}
