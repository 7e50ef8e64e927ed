package dev.braid.chaos.fault;

import dev.braid.chaos.event.Action;
import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.event.EventReader;
import dev.braid.chaos.event.EventWriter;
import dev.braid.chaos.event.InvalidEventException;
import dev.braid.chaos.event.Link;
import dev.braid.chaos.event.Start;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** An event that waits or is in force, and the rest of its target. */
final class Fault {

  static final long NEVER = Long.MAX_VALUE;

  /** Order in which faults were accepted or, once in force, began. */
  static final Comparator<Fault> ORDER = Comparator.comparingLong(fault -> fault.number);

  /** Stands for a number of links or ranks, if they are those of the whole target. */
  private static final int WHOLE = -1;

  private final ChaosEvent event;
  private final int firstRank;

  /**
   * Links on which a link fault in force acts. A waiting fault has none, so thousands that wait
   * need no memory.
   */
  private final Set<Link> links = new LinkedHashSet<>();

  /** Ranks on which a rank fault in force acts. */
  private final Set<Integer> ranks = new LinkedHashSet<>();

  private long number;
  private long endNanos = NEVER;

  /** Whether it has acted on a message since it began or was restored. */
  private boolean hasTouched;

  /** Whether its links and ranks are the rest of its target, since some were mended. */
  private boolean isMended;

  /** Whether it concerned only ranks or links that no longer exist. */
  private boolean isGone;

  private Fault(ChaosEvent event, int firstRank) {
    this.event = event;
    this.firstRank = firstRank;
  }

  static Fault of(ChaosEvent event, int ofRanks) throws InvalidEventException {
    event.checkFor(ofRanks);
    boolean ofLinks = !event.action().concernsRanks();
    Set<Link> links = ofLinks ? Set.copyOf(event.target().links(ofRanks)) : Set.of();
    Set<Integer> ranks = ofLinks ? Set.of() : Set.copyOf(event.target().ranks(ofRanks));
    return new Fault(event, firstRank(event.action(), links, ranks, ofRanks));
  }

  /**
   * Returns the rank that reports the event. Links of an isolated rank may see no further round, so
   * a rank that is not isolated is chosen.
   */
  private static int firstRank(Action action, Set<Link> links, Set<Integer> ranks, int ofRanks) {
    boolean parts = action instanceof Action.Isolate || action instanceof Action.Rejoin;
    IntStream told =
        action.concernsRanks()
            ? IntStream.range(0, ofRanks).filter(rank -> parts != ranks.contains(rank))
            : links.stream().mapToInt(Link::to);
    return told.min().orElse(0);
  }

  ChaosEvent event() {
    return event;
  }

  Action action() {
    return event.action();
  }

  Set<Link> links() {
    return links;
  }

  Set<Integer> ranks() {
    return ranks;
  }

  /** Returns a rank whose links the event concerns; its links report the event for all. */
  int firstRank() {
    return firstRank;
  }

  /** Returns whether it ends other faults at once, and thus neither waits nor lasts. */
  boolean mendsNow() {
    return action().ends() && event.start() instanceof Start.Now;
  }

  void setNumber(long newNumber) {
    number = newNumber;
  }

  /**
   * Returns the time at which it begins, in nanoseconds; {@link #NEVER} if it begins with a round.
   */
  long startNanos() {
    Start start = event.start();
    if (start instanceof Start.After after) {
      return after.millis() * FaultPlan.NANOS_PER_MILLI;
    }
    return start instanceof Start.AtRound ? NEVER : Long.MIN_VALUE;
  }

  /** Returns the round with which it begins; {@link #NEVER} if it begins at a time. */
  long startRound() {
    return event.start() instanceof Start.AtRound at ? at.round() : NEVER;
  }

  long endNanos() {
    return endNanos;
  }

  /** Sets the time at which it ends. */
  void begin(long nowNanos) {
    endNanos =
        event.forMillis().isPresent()
            ? nowNanos + event.forMillis().getAsLong() * FaultPlan.NANOS_PER_MILLI
            : NEVER;
  }

  /** Sets the links or ranks of its target, unless some were mended. */
  void aim(int ofRanks) {
    if (isMended) {
      return;
    }
    try {
      if (action().concernsRanks()) {
        ranks.addAll(event.target().ranks(ofRanks));
      } else {
        links.addAll(event.target().links(ofRanks));
      }
    } catch (InvalidEventException e) {
      throw new IllegalStateException("invalid event after its validation: " + e.getMessage(), e);
    }
  }

  /** Returns whether nothing of its target is left. */
  boolean isEmpty() {
    return links.isEmpty() && ranks.isEmpty();
  }

  /** Returns whether it concerned only ranks that no longer exist. */
  boolean isGone() {
    return isGone;
  }

  /** Ends it on a link. */
  void mend(Link link) {
    isMended = true;
    links.remove(link);
  }

  /** Ends it for a rank. */
  void mend(int rank) {
    isMended = true;
    ranks.remove(rank);
  }

  /** Notes that it acts on a message; returns true the first time. */
  boolean touch() {
    boolean isFirst = !hasTouched;
    hasTouched = true;
    return isFirst;
  }

  void write(DataOutput out) throws IOException {
    EventWriter.writeTaken(event, out);
    out.writeLong(endNanos);
    out.writeInt(isMended ? links.size() : WHOLE);
    if (isMended) {
      for (Link link : links) {
        out.writeInt(link.from());
        out.writeInt(link.to());
      }
    }
    out.writeInt(isMended ? ranks.size() : WHOLE);
    if (isMended) {
      for (int rank : ranks) {
        out.writeInt(rank);
      }
    }
  }

  /** Reads a fault, which {@link #isGone} if nothing of its target exists any more. */
  static Fault read(DataInput in, int ofRanks) throws IOException {
    ChaosEvent event = EventReader.readTaken(in);
    long endNanos = in.readLong();
    int linksLeft = in.readInt();
    Set<Link> links = new LinkedHashSet<>();
    for (int i = 0; i < linksLeft; i++) {
      Link link = new Link(in.readInt(), in.readInt());
      if (Math.max(link.from(), link.to()) < ofRanks) {
        links.add(link);
      }
    }
    int ranksLeft = in.readInt();
    Set<Integer> ranks = new LinkedHashSet<>();
    for (int i = 0; i < ranksLeft; i++) {
      int rank = in.readInt();
      if (rank < ofRanks) {
        ranks.add(rank);
      }
    }
    Optional<Fault> there =
        linksLeft == WHOLE ? whole(event, ofRanks) : left(event, links, ranks, ofRanks);
    Fault fault = there.orElseGet(() -> gone(event));
    fault.endNanos = endNanos;
    return fault;
  }

  private static Optional<Fault> whole(ChaosEvent event, int ofRanks) {
    try {
      return Optional.of(of(event, ofRanks));
    } catch (InvalidEventException e) {
      // The run had more ranks before.
      return Optional.empty();
    }
  }

  /** Returns a fault that can only be reported, by rank 0, which always exists. */
  private static Fault gone(ChaosEvent event) {
    Fault fault = new Fault(event, 0);
    fault.isGone = true;
    return fault;
  }

  private static Optional<Fault> left(
      ChaosEvent event, Set<Link> links, Set<Integer> ranks, int ofRanks) {
    if (links.isEmpty() && ranks.isEmpty()) {
      return Optional.empty();
    }
    Fault fault = new Fault(event, firstRank(event.action(), links, ranks, ofRanks));
    fault.isMended = true;
    fault.links.addAll(links);
    fault.ranks.addAll(ranks);
    return Optional.of(fault);
  }
}
