package dev.braid.chaos.fault;

/** Is told of each arrival of a message: none where it is lost, two where it is duplicated. */
@FunctionalInterface
public interface Arrivals {

  /**
   * The message arrives.
   *
   * @param nanos when, not before it was sent
   * @param corrupt whether bits of it are flipped on the way
   */
  void arrive(long nanos, boolean corrupt);
}
