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

/** An event that is waiting or in force, and what is left of its target. */
final class Fault {

  static final long NEVER = Long.MAX_VALUE;

  /** By the order in which they were accepted, or begun. */
  static final Comparator<Fault> ORDER = Comparator.comparingLong(fault -> fault.number);

  /** In the place of a number of links or ranks: those of the target. */
  private static final int WHOLE = -1;

  private final ChaosEvent event;
  private final int firstRank;

  /** Of a link fault in force: the links on which it acts. Thousands that wait take no memory. */
  private final Set<Link> links = new LinkedHashSet<>();

  /** Of a fault in force that is about ranks. */
  private final Set<Integer> ranks = new LinkedHashSet<>();

  private long number;
  private long endNanos = NEVER;

  /** Whether it has acted on a message since it began, or was restored. */
  private boolean hasTouched;

  /** Whether its links and ranks are those that are left, and not those of the target. */
  private boolean isMended;

  /** Whether it was about ranks or links that are not there any more. */
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

  /** The links of a rank that others have isolated may see no round any more. */
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

  /** A rank whose links the event is about: one of them tells of it for all. */
  int firstRank() {
    return firstRank;
  }

  /** Whether it ends others, and neither waits nor lasts. */
  boolean mendsNow() {
    return action().ends() && event.start() instanceof Start.Now;
  }

  long number() {
    return number;
  }

  void setNumber(long newNumber) {
    number = newNumber;
  }

  /** The time at which it begins; {@link #NEVER} if it begins with a round. */
  long startNanos() {
    Start start = event.start();
    if (start instanceof Start.After after) {
      return after.millis() * FaultPlan.NANOS_PER_MILLI;
    }
    return start instanceof Start.AtRound ? NEVER : Long.MIN_VALUE;
  }

  /** The round with which it begins. */
  long startRound() {
    return event.start() instanceof Start.AtRound at ? at.round() : NEVER;
  }

  long endNanos() {
    return endNanos;
  }

  /** Finds out when it ends. */
  void begin(long nowNanos) {
    endNanos =
        event.forMillis().isPresent()
            ? nowNanos + event.forMillis().getAsLong() * FaultPlan.NANOS_PER_MILLI
            : NEVER;
  }

  /** Finds the links or ranks of its target, but for those that were mended. */
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

  /** Whether nothing of its target is left. */
  boolean isEmpty() {
    return links.isEmpty() && ranks.isEmpty();
  }

  /** Whether there were more ranks when it was accepted, and it is about those. */
  boolean isGone() {
    return isGone;
  }

  /** It is mended on a link. */
  void mend(Link link) {
    isMended = true;
    links.remove(link);
  }

  /** It is mended for a rank. */
  void mend(int rank) {
    isMended = true;
    ranks.remove(rank);
  }

  /** It acts on a message; true the first time. */
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

  /** Reads a fault; it {@link #isGone} if nothing of its target is there any more. */
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
      // There were more ranks.
      return Optional.empty();
    }
  }

  /** One that can only be told of, by the rank that there always is. */
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
