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

  /** When the first begins that waits for a time; {@link Fault#NEVER} if none does. */
  long nextNanos() {
    return byTime.isEmpty() ? Fault.NEVER : byTime.first().startNanos();
  }

  /** Takes the first that waits for a time. */
  Fault takeNext() {
    return byTime.pollFirst();
  }

  /** Takes those that begin with this round or one before. */
  List<Fault> takeUpTo(long round) {
    List<Fault> due = new ArrayList<>();
    while (!byRound.isEmpty() && byRound.first().startRound() <= round) {
      due.add(byRound.pollFirst());
    }
    return due;
  }

  /** Whether one begins with this round or one before. */
  boolean awaits(long round) {
    return !byRound.isEmpty() && byRound.first().startRound() <= round;
  }

  boolean awaitsNoRound() {
    return byRound.isEmpty();
  }

  /** All, in the order in which they were accepted. */
  Collection<Fault> all() {
    TreeSet<Fault> all = new TreeSet<>(Fault.ORDER);
    all.addAll(byTime);
    all.addAll(byRound);
    return all;
  }
}
