package dev.braid.exchange.participation;

/**
 * Operations of an exchange in which each rank continues without absent ranks. The caller ensures
 * that this rank is among those that may continue.
 */
public interface Attendance {

  /** Notes that a rank is absent. The exchange does not wait for it and sends it no gradients. */
  void absent(int other);

  /** Notes that an absent rank answers again. */
  void back(int other);

  /** Returns whether this rank waits for others. It may have nothing in flight to them. */
  boolean awaitsOthers();
}
