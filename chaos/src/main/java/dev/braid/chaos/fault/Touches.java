package dev.braid.chaos.fault;

/** Takes which faults have acted on a message between two ranks: again each time. */
@FunctionalInterface
interface Touches {
  void touched(Fault fault, int from, int to, long nowNanos);
}
