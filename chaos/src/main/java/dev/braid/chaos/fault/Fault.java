package dev.braid.chaos.fault;

import dev.braid.chaos.event.Action;
import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.event.EventReader;
import dev.braid.chaos.event.EventWriter;
import dev.braid.chaos.event.InvalidEventException;
import dev.braid.chaos.event.Link;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.IntStream;

/** An event that is waiting or in force, and what is left of its target. */
final class Fault {

  static final long NEVER = Long.MAX_VALUE;

  private final ChaosEvent event;

  /** Of a link fault and of isolation: the links on which it acts. */
  private final Set<Link> links;

  /** Of an event about ranks. */
  private final Set<Integer> ranks;

  private final int firstRank;
  private long endNanos = NEVER;

  private Fault(ChaosEvent event, Set<Link> links, Set<Integer> ranks, int ofRanks) {
    this.event = event;
    this.links = links;
    this.ranks = ranks;
    this.firstRank = firstRank(ofRanks);
  }

  /** The links of a rank that others have isolated may see no round any more. */
  private int firstRank(int ofRanks) {
    if (action() instanceof Action.Isolate || action() instanceof Action.Rejoin) {
      return IntStream.range(0, ofRanks)
          .filter(rank -> !ranks.contains(rank))
          .findFirst()
          .orElse(0);
    }
    return IntStream.concat(
            links.stream().mapToInt(Link::to), ranks.stream().mapToInt(Integer::intValue))
        .min()
        .orElse(0);
  }

  static Fault of(ChaosEvent event, int ofRanks) throws InvalidEventException {
    event.checkFor(ofRanks);
    Set<Link> links = new LinkedHashSet<>();
    Set<Integer> ranks = new LinkedHashSet<>();
    if (event.action().concernsRanks()) {
      ranks.addAll(event.target().ranks(ofRanks));
    } else {
      links.addAll(event.target().links(ofRanks));
    }
    return new Fault(event, links, ranks, ofRanks);
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

  long endNanos() {
    return endNanos;
  }

  void begin(long nowNanos) {
    endNanos =
        event.forMillis().isPresent()
            ? nowNanos + event.forMillis().getAsLong() * FaultPlan.NANOS_PER_MILLI
            : NEVER;
  }

  /** Whether nothing of its target is left. */
  boolean isEmpty() {
    return links.isEmpty() && ranks.isEmpty();
  }

  /** Takes away what another event mends; whether that was anything. */
  boolean mend(Fault mender) {
    boolean ofRanks = mender.action().concernsRanks();
    if (ofRanks != action().concernsRanks()) {
      return false;
    }
    return ofRanks ? ranks.removeAll(mender.ranks) : links.removeAll(mender.links);
  }

  void write(DataOutput out) throws IOException {
    out.writeUTF(EventWriter.write(event));
    out.writeLong(endNanos);
    out.writeInt(links.size());
    for (Link link : links) {
      out.writeInt(link.from());
      out.writeInt(link.to());
    }
    out.writeInt(ranks.size());
    for (int rank : ranks) {
      out.writeInt(rank);
    }
  }

  /** Reads a fault; links and ranks that are not there any more are left out. */
  static Fault read(DataInput in, int ofRanks) throws IOException {
    ChaosEvent event;
    try {
      event = EventReader.read(in.readUTF().getBytes(StandardCharsets.UTF_8));
    } catch (InvalidEventException e) {
      throw new IOException("an event that was in force cannot be read: " + e.getMessage(), e);
    }
    long endNanos = in.readLong();
    Set<Link> links = new LinkedHashSet<>();
    for (int left = in.readInt(); left > 0; left--) {
      Link link = new Link(in.readInt(), in.readInt());
      if (link.from() < ofRanks && link.to() < ofRanks) {
        links.add(link);
      }
    }
    Set<Integer> ranks = new LinkedHashSet<>();
    for (int left = in.readInt(); left > 0; left--) {
      int rank = in.readInt();
      if (rank < ofRanks) {
        ranks.add(rank);
      }
    }
    Fault fault = new Fault(event, links, ranks, ofRanks);
    fault.endNanos = endNanos;
    return fault;
  }
}
