package dev.braid.chaos.fault;

/** Takes which faults have acted on a message: again each time. */
@FunctionalInterface
interface Touches {
  void touched(Fault fault, long nowNanos);
}
