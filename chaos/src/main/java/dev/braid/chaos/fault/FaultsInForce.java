package dev.braid.chaos.fault;

import dev.braid.chaos.event.Action;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Faults in force, ordered by their beginning and by their end; faults of ranks also by rank. */
final class FaultsInForce {

  private final TreeSet<Fault> all = new TreeSet<>(Fault.ORDER);
  private final TreeSet<Fault> byEnd =
      new TreeSet<>(Comparator.comparingLong(Fault::endNanos).thenComparing(Fault.ORDER));
  private final Map<Integer, List<Fault>> byRank = new HashMap<>();
  private int links;

  void add(Fault fault) {
    all.add(fault);
    byEnd.add(fault);
    links += fault.links().size();
    for (int rank : fault.ranks()) {
      byRank.computeIfAbsent(rank, key -> new ArrayList<>()).add(fault);
    }
  }

  void remove(Fault fault) {
    all.remove(fault);
    byEnd.remove(fault);
    links -= fault.links().size();
    List.copyOf(fault.ranks()).forEach(rank -> forget(rank, fault));
  }

  /** Counts a link less, since a fault was mended on it. */
  void linkMended() {
    links--;
  }

  /** Removes a fault of a rank, since it was mended for this rank. */
  void forget(int rank, Fault fault) {
    List<Fault> ofRank = byRank.get(rank);
    ofRank.remove(fault);
    if (ofRank.isEmpty()) {
      byRank.remove(rank);
    }
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  int size() {
    return all.size();
  }

  /** Returns the number of links with faults, where each link counts once for each fault. */
  int links() {
    return links;
  }

  /** Returns all faults, in the order in which they began. */
  Collection<Fault> all() {
    return Collections.unmodifiableCollection(all);
  }

  /**
   * Returns when the first fault ends by its duration, in nanoseconds; {@link Fault#NEVER} if none
   * does.
   */
  long nextNanos() {
    return byEnd.isEmpty() ? Fault.NEVER : byEnd.first().endNanos();
  }

  Fault first() {
    return byEnd.first();
  }

  /** Returns the faults of a rank, in the order in which they began. */
  List<Fault> ofRank(int rank) {
    return List.copyOf(byRank.getOrDefault(rank, List.of()));
  }

  boolean isIsolated(int rank) {
    if (byRank.isEmpty()) {
      return false;
    }
    for (Fault fault : byRank.getOrDefault(rank, List.of())) {
      if (fault.action() instanceof Action.Isolate) {
        return true;
      }
    }
    return false;
  }

  /** Returns the factor by which a rank computes slower than it could. */
  double slowdown(int rank) {
    double slowdown = 1;
    for (Fault fault : byRank.getOrDefault(rank, List.of())) {
      if (fault.action() instanceof Action.Straggle straggle) {
        slowdown *= straggle.factor();
      }
    }
    return slowdown;
  }
}
