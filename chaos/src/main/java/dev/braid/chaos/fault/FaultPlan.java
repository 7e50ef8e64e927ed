package dev.braid.chaos.fault;

import dev.braid.chaos.event.Action;
import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.event.Happening;
import dev.braid.chaos.event.Happening.Outcome;
import dev.braid.chaos.event.InvalidEventException;
import dev.braid.chaos.event.Link;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Plan of faults: the events that wait, the events in force, and the messages that wait because of
 * them. All times are nanoseconds from the start of training, are given by the caller, and never
 * decrease.
 *
 * <p>The life of an event:
 *
 * <pre>
 *   accept ─▶ waiting ── its start has come ─▶ in force ── its time is over, or it is mended ─▶ gone
 *                                         └──▶ gone at once, for what mends
 * </pre>
 *
 * <p>When a fault ends, so do the delays that it caused for waiting messages. These continue in
 * order, as fast as the remaining faults allow.
 *
 * <p>One plan may serve all links (in the simulator), or each rank may have its own plan for the
 * links that lead to it (in Flink). All plans know every event and decide alike. Only the moments
 * differ, since ranks see rounds and receive events at different times.
 *
 * <p>A client that writes to the topic can neither fill the memory nor stop the messages: the cost
 * of an event depends on its own links, whatever else is in force, and the number of faults is
 * bounded.
 *
 * @param <M> a message
 */
public final class FaultPlan<M> {

  static final long NANOS_PER_MILLI = 1_000_000;

  /** Maximum number of events that wait or are in force. */
  static final int MAX_FAULTS = 10_000;

  /** Maximum number of links with faults in force, where each link counts once for each fault. */
  static final int MAX_LINKS = 100_000;

  /** Maximum number of faults in force on one link, since a message meets each of them. */
  static final int MAX_ON_LINK = 100;

  private static final int STATE_VERSION = 3;

  private final int ranks;
  private final Consumer<Happening> log;
  private final MessageFates<M> fates;
  private final Agenda waiting = new Agenda();
  private final FaultsInForce inForce = new FaultsInForce();
  private final LinkTable<M> links;

  /** Ids of all events that wait or are in force. */
  private final Set<String> ids = new HashSet<>();

  /** Happenings of restored faults whose ranks no longer exist. */
  private final List<Happening> gone = new ArrayList<>();

  private long numbered;
  private long round = -1;

  /**
   * Creates a plan without events.
   *
   * @param ranks number of ranks
   * @param seed seed of everything that happens with a probability
   * @param log takes the happenings of events
   * @param fates takes the messages
   */
  public FaultPlan(int ranks, long seed, Consumer<Happening> log, MessageFates<M> fates) {
    this.ranks = ranks;
    this.log = log;
    this.fates = fates;
    this.links = new LinkTable<>(seed, fates, this::touched);
  }

  // ---- events ----------------------------------------------------------------------------------

  /** Accepts an event, which takes effect at once if its start has come. */
  public void accept(ChaosEvent event, long nowNanos) {
    Fault fault;
    try {
      fault = Fault.of(event, ranks);
    } catch (InvalidEventException e) {
      log.accept(new Happening(Outcome.IGNORED, event, 0, nowNanos, round, e.getMessage()));
      return;
    }
    advance(nowNanos, round);
    if (event.id().isPresent() && ids.contains(event.id().get())) {
      tell(Outcome.IGNORED, fault, nowNanos, "an event with this id is pending or in force");
    } else if (isFull() && !fault.mendsNow()) {
      tell(Outcome.IGNORED, fault, nowNanos, MAX_FAULTS + " events are pending or in force");
    } else {
      keep(fault);
      advance(nowNanos, round);
    }
  }

  private boolean isFull() {
    return waiting.size() + inForce.size() >= MAX_FAULTS;
  }

  private void keep(Fault fault) {
    fault.setNumber(numbered++);
    fault.event().id().ifPresent(ids::add);
    waiting.add(fault);
  }

  /**
   * Begins and ends the faults that are due. {@link #release} then hands over messages that need
   * not wait any longer.
   *
   * @param seenRound the round of a message, or −1
   */
  public void advance(long nowNanos, long seenRound) {
    round = Math.max(round, seenRound);
    while (nextChangeNanos() <= nowNanos) {
      if (inForce.nextNanos() <= waiting.nextNanos()) {
        end(inForce.first(), nowNanos, Happening.TIME_IS_OVER);
      } else {
        begin(waiting.takeNext(), nowNanos);
      }
    }
    waiting.takeUpTo(round).forEach(fault -> begin(fault, nowNanos));
  }

  private void begin(Fault fault, long nowNanos) {
    fault.begin(nowNanos);
    fault.aim(ranks);
    if (fault.action().ends()) {
      forgetId(fault);
      mend(fault, nowNanos);
      return;
    }
    Optional<String> tooMany = tooMany(fault);
    if (tooMany.isPresent()) {
      forgetId(fault);
      tell(Outcome.IGNORED, fault, nowNanos, tooMany.get());
      return;
    }
    fault.setNumber(numbered++);
    enforce(fault, nowNanos);
    tell(Outcome.APPLIED, fault, nowNanos, "");
  }

  private Optional<String> tooMany(Fault fault) {
    if (inForce.links() + fault.links().size() > MAX_LINKS) {
      return Optional.of("faults of " + inForce.links() + " links are in force");
    }
    return fault.links().stream()
        .filter(link -> links.faultsOn(link) >= MAX_ON_LINK)
        .findFirst()
        .map(
            link ->
                MAX_ON_LINK + " faults are in force on link " + link.from() + " → " + link.to());
  }

  private void enforce(Fault fault, long nowNanos) {
    inForce.add(fault);
    fault.links().forEach(link -> links.add(link, fault, nowNanos));
  }

  private void end(Fault fault, long nowNanos, String reason) {
    inForce.remove(fault);
    fault.links().forEach(link -> links.remove(link, fault, nowNanos));
    forgetId(fault);
    tell(Outcome.ENDED, fault, nowNanos, reason);
  }

  private void forgetId(Fault fault) {
    fault.event().id().ifPresent(ids::remove);
  }

  private void mend(Fault mender, long nowNanos) {
    Set<Fault> mended = new TreeSet<>(Fault.ORDER);
    for (Link link : mender.links()) {
      for (Fault fault : links.faults(link)) {
        fault.mend(link);
        inForce.linkMended();
        links.remove(link, fault, nowNanos);
        mended.add(fault);
      }
    }
    for (int rank : mender.ranks()) {
      for (Fault fault : inForce.ofRank(rank)) {
        fault.mend(rank);
        inForce.forget(rank, fault);
        mended.add(fault);
      }
    }
    String title = mender.action().title();
    if (mended.isEmpty()) {
      tell(Outcome.IGNORED, mender, nowNanos, "there is nothing to " + title);
      return;
    }
    tell(Outcome.APPLIED, mender, nowNanos, "");
    mended.stream().filter(Fault::isEmpty).forEach(fault -> end(fault, nowNanos, title));
  }

  /** Ends the faults in force, since training has ended, and logs the events that still wait. */
  public void trainingEnded(long nowNanos) {
    List.copyOf(inForce.all()).forEach(fault -> end(fault, nowNanos, Happening.TRAINING_ENDED));
    waiting.all().forEach(fault -> tell(Outcome.IGNORED, fault, nowNanos, Happening.NEVER_DUE));
  }

  private void tell(Outcome outcome, Fault fault, long nowNanos, String reason) {
    log.accept(happening(outcome, fault, nowNanos, reason));
  }

  private Happening happening(Outcome outcome, Fault fault, long nowNanos, String reason) {
    return new Happening(outcome, fault.event(), fault.firstRank(), nowNanos, round, reason);
  }

  // ---- messages --------------------------------------------------------------------------------

  /**
   * Carries a message: it arrives or is lost before this method returns, or it waits.
   *
   * @param bytes size of the message on the wire
   */
  public void carry(M message, int from, int to, long bytes, long nowNanos) {
    if (inForce.isIsolated(from) || inForce.isIsolated(to)) {
      touchIsolation(from, from, to, nowNanos);
      touchIsolation(to, from, to, nowNanos);
      fates.touched(Effect.ISOLATED);
      fates.lost(message);
    } else {
      links.carry(message, from, to, bytes, nowNanos);
    }
  }

  private void touchIsolation(int rank, int from, int to, long nowNanos) {
    for (Fault fault : inForce.ofRank(rank)) {
      if (fault.action() instanceof Action.Isolate) {
        touched(fault, from, to, nowNanos);
      }
    }
  }

  private void touched(Fault fault, int from, int to, long nowNanos) {
    if (fault.touch()) {
      Happening happening =
          new Happening(Outcome.TOUCHED, fault.event(), fault.firstRank(), nowNanos, round, "");
      // A message of a rank to itself is on no link.
      log.accept(from == to ? happening : happening.on(new Link(from, to)));
    }
  }

  /** Hands over the messages that need not wait any longer. */
  public void release(long nowNanos) {
    links.release(nowNanos);
  }

  /** Hands over all waiting messages, and forgets them and all faults. */
  public void discard(Consumer<M> messages) {
    links.discard(messages);
  }

  /** Returns the factor by which a rank computes slower than it could. */
  public double slowdown(int rank) {
    return inForce.slowdown(rank);
  }

  // ---- state -----------------------------------------------------------------------------------

  /** Returns whether nothing is in force and nothing waits, so that every message passes. */
  public boolean isQuiet() {
    return inForce.isEmpty() && links.isEmpty();
  }

  /** Returns whether a waiting event begins with this round or an earlier one. */
  public boolean awaits(long seenRound) {
    return waiting.awaits(seenRound);
  }

  /** Returns whether no event waits for a round. */
  public boolean awaitsNoRound() {
    return waiting.awaitsNoRound();
  }

  /**
   * Returns when {@link #advance} is due without a message, in nanoseconds; {@link Long#MAX_VALUE}
   * if never.
   */
  public long nextChangeNanos() {
    return Math.min(inForce.nextNanos(), waiting.nextNanos());
  }

  /**
   * Returns when {@link #release} may be due, in nanoseconds; {@link Long#MAX_VALUE} if nothing
   * waits.
   */
  public long nextReleaseNanos() {
    return links.nextNanos();
  }

  /** Returns the events in force, in the order in which they began. */
  public List<ChaosEvent> inForce() {
    return inForce.all().stream().map(Fault::event).toList();
  }

  /** Returns how often a fault has begun or ended on a link: the total cost of all events. */
  long changesOfLinks() {
    return links.changes();
  }

  // ---- checkpoints -----------------------------------------------------------------------------

  /** Logs the faults in force after {@link #read}, and those whose ranks no longer exist. */
  public void tellInForce(long nowNanos) {
    gone.forEach(log);
    gone.clear();
    inForce.all().forEach(fault -> tell(Outcome.APPLIED, fault, nowNanos, Happening.RESTORED));
  }

  /** Writes the events that wait and those in force, but no messages. */
  public void write(DataOutput out) throws IOException {
    out.writeInt(STATE_VERSION);
    out.writeLong(round);
    for (Collection<Fault> faults : List.of(waiting.all(), inForce.all())) {
      out.writeInt(faults.size());
      for (Fault fault : faults) {
        fault.write(out);
      }
    }
  }

  /**
   * Reads what {@link #write} wrote, perhaps for another number of ranks. It must be called first.
   */
  public void read(DataInput in, long nowNanos) throws IOException {
    int version = in.readInt();
    if (version != STATE_VERSION) {
      throw new IOException(
          "state of chaos events of version %d: must be version %d"
              .formatted(version, STATE_VERSION));
    }
    round = in.readLong();
    for (int left = in.readInt(); left > 0; left--) {
      readFault(in, Outcome.IGNORED, nowNanos).ifPresent(this::keep);
    }
    for (int left = in.readInt(); left > 0; left--) {
      readFault(in, Outcome.ENDED, nowNanos).ifPresent(fault -> restore(fault, nowNanos));
    }
  }

  private Optional<Fault> readFault(DataInput in, Outcome ifGone, long nowNanos)
      throws IOException {
    Fault fault = Fault.read(in, ranks);
    if (fault.isGone()) {
      gone.add(happening(ifGone, fault, nowNanos, Happening.RANKS_ARE_GONE));
      return Optional.empty();
    }
    return Optional.of(fault);
  }

  private void restore(Fault fault, long nowNanos) {
    fault.aim(ranks);
    if (!fault.isEmpty()) {
      fault.setNumber(numbered++);
      fault.event().id().ifPresent(ids::add);
      enforce(fault, nowNanos);
    }
  }
}
