package dev.braid.chaos.fault;

import dev.braid.chaos.event.Link;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Links on which faults act or have acted, and when their waiting messages may go. */
final class LinkTable<M> {

  private final long seed;
  private final MessageFates<M> fates;
  private final Touches touches;
  private final Map<Link, FaultyLink<M>> links = new HashMap<>();

  /** Links on which messages wait, by the time when the first of these may go. */
  private final TreeSet<FaultyLink<M>> waiting =
      new TreeSet<>(
          Comparator.<FaultyLink<M>>comparingLong(FaultyLink::alarmNanos)
              .thenComparingLong(FaultyLink::number));

  private long numbered;
  private long changes;

  /**
   * Creates an empty table.
   *
   * @param seed seed of everything that happens with a probability
   * @param touches takes the faults that act on messages
   */
  LinkTable(long seed, MessageFates<M> fates, Touches touches) {
    this.seed = seed;
    this.fates = fates;
    this.touches = touches;
  }

  /** Returns the faults in force on a link, in the order in which they began. */
  List<Fault> faults(Link link) {
    FaultyLink<M> faulty = links.get(link);
    return faulty == null ? List.of() : List.copyOf(faulty.faults());
  }

  /** Returns the number of faults in force on a link. */
  int faultsOn(Link link) {
    FaultyLink<M> faulty = links.get(link);
    return faulty == null ? 0 : faulty.faults().size();
  }

  /** Begins a fault on a link. */
  void add(Link link, Fault fault, long nowNanos) {
    changes++;
    FaultyLink<M> faulty =
        links.computeIfAbsent(
            link, key -> new FaultyLink<>(key, numbered++, fates, touches, () -> random(key)));
    faulty.add(fault, nowNanos);
    changed(faulty);
  }

  /** Ends a fault on a link. */
  void remove(Link link, Fault fault, long nowNanos) {
    changes++;
    FaultyLink<M> faulty = links.get(link);
    faulty.remove(fault, nowNanos);
    changed(faulty);
  }

  /** Returns how often a fault has begun or ended on a link: the total cost of events. */
  long changes() {
    return changes;
  }

  private SplittableRandom random(Link link) {
    return new SplittableRandom(mix(mix(seed, link.from()), link.to()));
  }

  /** Returns a hash by steps of SplitMix64, so that neighbouring links draw unrelated numbers. */
  private static long mix(long state, int next) {
    return new SplittableRandom(state ^ (next * 0x9E3779B97F4A7C15L)).nextLong();
  }

  /** Carries a message. */
  void carry(M message, int from, int to, long bytes, long nowNanos) {
    FaultyLink<M> faulty = links.isEmpty() ? null : links.get(new Link(from, to));
    if (faulty == null) {
      fates.arrive(message, false, false);
    } else {
      faulty.carry(message, bytes, nowNanos);
      changed(faulty);
    }
  }

  /** Hands over all messages that may arrive until a time. */
  void release(long nowNanos) {
    while (nextNanos() <= nowNanos) {
      FaultyLink<M> first = waiting.first();
      first.release(nowNanos);
      changed(first);
    }
  }

  /**
   * Returns when {@link #release} is due next, in nanoseconds; {@link Fault#NEVER} if nothing
   * waits.
   */
  long nextNanos() {
    return waiting.isEmpty() ? Fault.NEVER : waiting.first().alarmNanos();
  }

  /** Updates the schedule after the messages of a link have changed. */
  private void changed(FaultyLink<M> faulty) {
    long next = faulty.nextNanos();
    if (next != faulty.alarmNanos()) {
      waiting.remove(faulty);
      faulty.setAlarm(next);
      if (next != Fault.NEVER) {
        waiting.add(faulty);
      }
    }
    if (faulty.isUntouched()) {
      links.remove(faulty.link());
    }
  }

  /** Returns whether no message waits. */
  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Hands over all waiting messages, and forgets them and all faults. */
  void discard(Consumer<M> messages) {
    links.values().forEach(faulty -> faulty.discard(messages));
    links.clear();
    waiting.clear();
  }
}
