package dev.braid.chaos.fault;

import dev.braid.chaos.event.Action;
import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.event.Happening;
import dev.braid.chaos.event.Happening.Outcome;
import dev.braid.chaos.event.InvalidEventException;
import dev.braid.chaos.event.Link;
import dev.braid.chaos.event.Start;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Which events wait, which are in force, and what they do to a message. All times are nanoseconds
 * from the start of training, given by the caller, and never go back.
 *
 * <p>The life of an event:
 *
 * <pre>
 *   accept ─▶ waiting ── its start has come ─▶ in force ── its time is over, or it is mended ─▶ gone
 *                                         └──▶ gone at once, for what mends
 * </pre>
 *
 * <p>One plan may serve all links (in the simulator), or every rank may have one of its own for the
 * links that lead to it (in Flink). All of them know every event and decide alike; only the moments
 * differ, by what each has seen.
 */
public final class FaultPlan {

  static final long NANOS_PER_MILLI = 1_000_000;

  /** Events that may wait or be in force: whoever writes to the topic cannot fill the memory. */
  private static final int MAX_FAULTS = 10_000;

  private static final int STATE_VERSION = 1;

  private final int ranks;
  private final long seed;
  private final Consumer<Happening> log;
  private final List<Fault> waiting = new ArrayList<>();
  private final List<Fault> inForce = new ArrayList<>();
  private final Map<Link, LinkState> links = new HashMap<>();
  private long round = -1;

  /**
   * A plan without events.
   *
   * @param ranks how many there are
   * @param seed for what happens with a probability
   * @param log is told what becomes of events
   */
  public FaultPlan(int ranks, long seed, Consumer<Happening> log) {
    this.ranks = ranks;
    this.seed = seed;
    this.log = log;
  }

  /** Takes an event; it takes effect at once if its start has come. */
  public void accept(ChaosEvent event, long nowNanos) {
    Fault fault;
    try {
      fault = Fault.of(event, ranks);
    } catch (InvalidEventException e) {
      log.accept(new Happening(Outcome.IGNORED, event, 0, nowNanos, round, e.getMessage()));
      return;
    }
    if (isKnown(event)) {
      tell(Outcome.IGNORED, fault, nowNanos, "an event of this id waits or is in force");
    } else if (waiting.size() + inForce.size() >= MAX_FAULTS) {
      tell(Outcome.IGNORED, fault, nowNanos, MAX_FAULTS + " events wait or are in force");
    } else {
      waiting.add(fault);
      advance(nowNanos, round);
    }
  }

  private boolean isKnown(ChaosEvent event) {
    return event.id().isPresent() && (isAmong(waiting, event) || isAmong(inForce, event));
  }

  private static boolean isAmong(List<Fault> faults, ChaosEvent event) {
    return faults.stream().anyMatch(fault -> fault.event().id().equals(event.id()));
  }

  /**
   * Begins and ends what is due.
   *
   * @param seenRound the round of a message, or −1
   */
  public void advance(long nowNanos, long seenRound) {
    round = Math.max(round, seenRound);
    boolean changed = end(nowNanos);
    for (Iterator<Fault> all = waiting.iterator(); all.hasNext(); ) {
      Fault fault = all.next();
      if (isDue(fault.event().start(), nowNanos)) {
        all.remove();
        begin(fault, nowNanos);
        changed = true;
      }
    }
    if (changed) {
      rebuild();
    }
  }

  private boolean isDue(Start start, long nowNanos) {
    if (start instanceof Start.AtRound at) {
      return round >= at.round();
    }
    return !(start instanceof Start.After after) || nowNanos >= after.millis() * NANOS_PER_MILLI;
  }

  private boolean end(long nowNanos) {
    boolean ended = false;
    for (Iterator<Fault> all = inForce.iterator(); all.hasNext(); ) {
      Fault fault = all.next();
      if (nowNanos >= fault.endNanos()) {
        all.remove();
        tell(Outcome.ENDED, fault, nowNanos, "its time is over");
        ended = true;
      }
    }
    return ended;
  }

  private void begin(Fault fault, long nowNanos) {
    if (!fault.action().ends()) {
      fault.begin(nowNanos);
      inForce.add(fault);
      tell(Outcome.APPLIED, fault, nowNanos, "");
      return;
    }
    List<Fault> mended = inForce.stream().filter(other -> other.mend(fault)).toList();
    if (mended.isEmpty()) {
      tell(Outcome.IGNORED, fault, nowNanos, "there is nothing to " + fault.action().title());
      return;
    }
    tell(Outcome.APPLIED, fault, nowNanos, "");
    for (Fault other : mended) {
      if (other.isEmpty()) {
        inForce.remove(other);
        tell(Outcome.ENDED, other, nowNanos, fault.action().title());
      }
    }
  }

  private void tell(Outcome outcome, Fault fault, long nowNanos, String reason) {
    log.accept(new Happening(outcome, fault.event(), fault.firstRank(), nowNanos, round, reason));
  }

  private void rebuild() {
    links.values().forEach(LinkState::clear);
    for (Fault fault : inForce) {
      fault.links().forEach(link -> state(link).add(fault.action()));
      if (fault.action() instanceof Action.Isolate) {
        for (int rank : fault.ranks()) {
          isolate(rank, fault.action());
        }
      }
    }
  }

  private void isolate(int rank, Action action) {
    for (int other = 0; other < ranks; other++) {
      if (other != rank) {
        state(new Link(rank, other)).add(action);
        state(new Link(other, rank)).add(action);
      }
    }
  }

  private LinkState state(Link link) {
    return links.computeIfAbsent(
        link, key -> new LinkState(new SplittableRandom(mix(mix(seed, key.from()), key.to()))));
  }

  /** Steps of SplitMix64, so that neighbouring links draw nothing alike. */
  private static long mix(long state, int next) {
    return new SplittableRandom(state ^ (next * 0x9E3779B97F4A7C15L)).nextLong();
  }

  /**
   * Carries a message.
   *
   * @param bytes its size on the wire
   * @param arrivals is told when it arrives, and how often
   */
  public void carry(int from, int to, long bytes, long nowNanos, Arrivals arrivals) {
    LinkState link = links.isEmpty() ? null : links.get(new Link(from, to));
    if (link == null) {
      arrivals.arrive(nowNanos, false);
    } else {
      link.carry(bytes, nowNanos, arrivals);
    }
  }

  /** Whether nothing is in force, so that every message passes. */
  public boolean isQuiet() {
    return inForce.isEmpty();
  }

  /** Whether no event waits for a round later than the last that was seen. */
  public boolean awaitsNoRound() {
    for (Fault fault : waiting) {
      if (fault.event().start() instanceof Start.AtRound) {
        return false;
      }
    }
    return true;
  }

  /** When {@link #advance} has something to do without a message; {@link Long#MAX_VALUE}: never. */
  public long nextNanos() {
    long next = Fault.NEVER;
    for (Fault fault : inForce) {
      next = Math.min(next, fault.endNanos());
    }
    for (Fault fault : waiting) {
      if (fault.event().start() instanceof Start.After after) {
        next = Math.min(next, after.millis() * NANOS_PER_MILLI);
      }
    }
    return next;
  }

  /** How many times slower than it could a rank computes. */
  public double slowdown(int rank) {
    double slowdown = 1;
    for (Fault fault : inForce) {
      if (fault.action() instanceof Action.Straggle straggle && fault.ranks().contains(rank)) {
        slowdown *= straggle.factor();
      }
    }
    return slowdown;
  }

  /** Tells the log anew what is in force, after {@link #read}. */
  public void tellInForce(long nowNanos) {
    inForce.forEach(fault -> tell(Outcome.APPLIED, fault, nowNanos, "in force as before"));
  }

  /** The events in force, in the order in which they began. */
  public List<ChaosEvent> inForce() {
    return inForce.stream().map(Fault::event).toList();
  }

  /** Writes what waits and what is in force, but not what is on its way. */
  public void write(DataOutput out) throws IOException {
    out.writeInt(STATE_VERSION);
    out.writeLong(round);
    for (List<Fault> faults : List.of(waiting, inForce)) {
      out.writeInt(faults.size());
      for (Fault fault : faults) {
        fault.write(out);
      }
    }
  }

  /** Reads what {@link #write} wrote, perhaps for another number of ranks. */
  public void read(DataInput in) throws IOException {
    int version = in.readInt();
    if (version != STATE_VERSION) {
      throw new IOException("faults of version " + version + ": " + STATE_VERSION + " is known");
    }
    round = in.readLong();
    for (List<Fault> faults : List.of(waiting, inForce)) {
      faults.clear();
      for (int left = in.readInt(); left > 0; left--) {
        Fault fault = Fault.read(in, ranks);
        if (!fault.isEmpty()) {
          faults.add(fault);
        }
      }
    }
    rebuild();
  }
}
