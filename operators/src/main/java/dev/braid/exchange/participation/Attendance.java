package dev.braid.exchange.participation;

/**
 * What an exchange is besides whose ranks each go on without those that are absent. Who tells it
 * has seen to it that this rank is among those that go on.
 */
public interface Attendance {

  /** A rank is absent: it is not to be waited for, and no gradient to be sent to it. */
  void absent(int other);

  /** A rank that was absent answers again. */
  void back(int other);

  /** Whether this rank waits for others, to which it may have nothing under way. */
  boolean awaitsOthers();
}
