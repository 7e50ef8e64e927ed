package dev.braid.chaos.fault;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/** Events that wait for their time or round. */
final class Agenda {

  private final TreeSet<Fault> byTime =
      new TreeSet<>(Comparator.comparingLong(Fault::startNanos).thenComparing(Fault.ORDER));
  private final TreeSet<Fault> byRound =
      new TreeSet<>(Comparator.comparingLong(Fault::startRound).thenComparing(Fault.ORDER));

  void add(Fault fault) {
    boolean hasTime = fault.startNanos() != Fault.NEVER;
    (hasTime ? byTime : byRound).add(fault);
  }

  int size() {
    return byTime.size() + byRound.size();
  }

  /**
   * Returns when the first event that waits for a time begins, in nanoseconds; {@link Fault#NEVER}
   * if none does.
   */
  long nextNanos() {
    return byTime.isEmpty() ? Fault.NEVER : byTime.first().startNanos();
  }

  /** Removes and returns the first event that waits for a time. */
  Fault takeNext() {
    return byTime.pollFirst();
  }

  /** Removes and returns the events that begin with this round or an earlier one. */
  List<Fault> takeUpTo(long round) {
    List<Fault> due = new ArrayList<>();
    while (!byRound.isEmpty() && byRound.first().startRound() <= round) {
      due.add(byRound.pollFirst());
    }
    return due;
  }

  /** Returns whether an event begins with this round or an earlier one. */
  boolean awaits(long round) {
    return !byRound.isEmpty() && byRound.first().startRound() <= round;
  }

  boolean awaitsNoRound() {
    return byRound.isEmpty();
  }

  /** Returns all events, in the order in which they were accepted. */
  Collection<Fault> all() {
    TreeSet<Fault> all = new TreeSet<>(Fault.ORDER);
    all.addAll(byTime);
    all.addAll(byRound);
    return all;
  }
}
