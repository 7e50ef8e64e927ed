package dev.braid.exchange.sharing;

import dev.braid.exchange.Figure;
import dev.braid.exchange.FigureValues;
import dev.braid.exchange.message.Body;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Sharing;
import dev.braid.exchange.message.Sharing.AllHave;
import dev.braid.exchange.message.Sharing.Has;
import dev.braid.exchange.message.Sharing.Progress;
import dev.braid.exchange.message.Sharing.SharedUpdate;
import dev.braid.exchange.message.Sharing.SideHas;
import dev.braid.exchange.message.Transit;
import dev.braid.exchange.participation.View;
import dev.braid.exchange.sharing.UpdateLog.Part;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One rank's links in the tree of one view. They carry updates to every neighbour that lacks them,
 * and reports back to the origins that all ranks have them.
 *
 * <p>Within a view links neither lose nor reorder messages. The links of different views are
 * independent: when links open, ranks report to each other what they have.
 */
final class UpdateRelay {

  /** Number of updates after which an origin reports how many of its updates all ranks have. */
  static final int TOLD_EVERY_UPDATES = 4;

  /**
   * Limits of the links.
   *
   * @param partsApart maximum difference between a neighbour's and this rank's number of parts of
   *     an origin when a link opens
   * @param bytesUnderWay limit of the bytes of values in flight on all links together; once it is
   *     reached, each link may have only its minimum number of messages in flight
   */
  record Limits(long partsApart, long bytesUnderWay) {}

  /** The owner of the relay, which sends messages and applies updates. */
  interface Client {

    long nowNanos();

    /** Sends a message to a neighbour. */
    void send(int to, Transit transit, Body body);

    /** Applies a new part, which is already in the log. */
    void apply(Part part);
  }

  private final int rank;
  private final UpdateLog log;
  private final Client client;
  private final int ranks;
  private final Limits limits;
  private final ProgressCheck check;

  /** Links by neighbour. */
  private final SortedMap<Integer, RelayLink> links = new TreeMap<>();

  /** By origin: the neighbour from which the origin's updates come; −1 for none. */
  private final int[] towards;

  /** Counts of parts that this rank relays and discards. */
  private final FigureValues counts;

  /** Whether this rank is in the tree. If it is left out, no other rank has its updates. */
  private final boolean isMember;

  private long toldAllHave;
  private long bytesUnderWay;

  /** Creates the links along a tree, which do not carry updates yet. */
  UpdateRelay(
      int rank,
      int ranks,
      RelayTree tree,
      UpdateLog log,
      FigureValues counts,
      Limits limits,
      Client client) {
    this.rank = rank;
    this.log = log;
    this.counts = counts;
    this.client = client;
    this.limits = limits;
    this.isMember = tree.isIn(rank);
    this.toldAllHave = log.allHave(rank);
    this.towards = tree.towards(rank);
    this.check = new ProgressCheck(rank, log, towards, limits.partsApart());
    this.ranks = ranks;
    for (int neighbour : tree.neighbours(rank)) {
      links.put(neighbour, new RelayLink(neighbour, ranks));
    }
  }

  private RelayLink link(int neighbour) {
    RelayLink link = links.get(neighbour);
    if (link == null) {
      throw new IllegalArgumentException(
          "updates from rank " + neighbour + ": must come from a neighbour of rank " + rank);
    }
    return link;
  }

  // ---- links open ------------------------------------------------------------------------------

  /**
   * Opens all links at the start of a run, when all ranks have the same updates: a checkpoint is
   * taken only if they have, and with a different number of ranks all begin at the same round.
   */
  void openAll() {
    for (RelayLink link : links.values()) {
      link.takes(log.has());
      link.open();
    }
  }

  /**
   * Reports what this rank has to those neighbours that continue from the previous view as it does.
   * If this rank has no neighbour, it waits for no report.
   */
  void greet(View view) {
    for (int neighbour : links.keySet()) {
      if (view.current().contains(neighbour)) {
        tellAll(neighbour, log.has());
      }
    }
    progress(rank);
  }

  private void tellAll(int neighbour, long[] has) {
    for (int origin = 0; origin < has.length; origin++) {
      client.send(neighbour, Transit.NONE, new Has(origin, has[origin]));
    }
  }

  /** Returns by origin the number of parts that a neighbour has reported. */
  long[] heard(int neighbour) {
    return link(neighbour).heard();
  }

  /**
   * Opens a link if both ranks continue from the previous view, so that this rank knows what the
   * neighbour has. For all origins on its own side, this rank reports how many parts all ranks
   * have, because that report may have been lost with the previous view.
   */
  void openIfHeard(int neighbour) {
    RelayLink link = link(neighbour);
    if (link.isOpen() || !link.hasHeardOfAll()) {
      return;
    }
    link.open();
    for (int origin = 0; origin < ranks; origin++) {
      boolean isBeyond = origin == rank || (towards[origin] >= 0 && towards[origin] != neighbour);
      if (isBeyond && log.allHave(origin) > 0) {
        client.send(neighbour, Transit.NONE, new AllHave(origin, log.allHave(origin)));
      }
    }
    carry(link);
  }

  /** Opens a link to a neighbour to or from which a copy of the model has been sent. */
  void openBehindCopy(int neighbour) {
    RelayLink link = link(neighbour);
    link.open();
    carry(link);
  }

  private void carry(RelayLink link) {
    for (int origin = 0; origin < ranks; origin++) {
      progress(origin);
    }
    sendOn(link);
    tellOn(link);
  }

  /**
   * Reports to a neighbour what it will have after the copy that follows. Also sends all kept parts
   * that are in the copy, so that the neighbour can send them to others as this rank can.
   */
  void tellBeforeCopy(int neighbour, long[] has) {
    RelayLink link = link(neighbour);
    tellAll(neighbour, has);
    for (Part part : log.kept()) {
      if (part.next() <= has[part.update().origin()]) {
        isSent(link, part);
        client.send(neighbour, Transit.NONE, part.update());
      }
    }
    link.takes(has);
  }

  private void isSent(RelayLink link, Part part) {
    link.sent(part.update().origin(), part.next(), client.nowNanos());
    bytesUnderWay += part.update().payload().bytes();
  }

  /**
   * Returns the part of an update that a neighbour has sent before the copy of its model, which
   * contains it.
   *
   * @throws IllegalArgumentException if the copy does not contain the update
   */
  Part beforeCopy(int from, SharedUpdate update) {
    Part part = log.part(update);
    RelayLink link = link(from);
    if (!link.hasHeardOfAll() || part.next() > link.has(update.origin())) {
      throw new IllegalArgumentException(
          "update %d of rank %d from rank %d: the model's copy is not known to contain it"
              .formatted(update.number(), update.origin(), from));
    }
    return part;
  }

  // ---- updates ---------------------------------------------------------------------------------

  /** Sends parts of this rank that have been added to the log. */
  void added() {
    progress(rank);
    sendOn();
  }

  /** Receives an update from a neighbour. */
  void receive(int from, SharedUpdate update) {
    Part part = log.part(update);
    RelayLink link = carrying(from, update);
    if (log.has(part)) {
      link.hasAtLeast(update.origin(), part.next());
      counts.add(Figure.DUPLICATE_UPDATES, 1);
      return;
    }
    if (update.origin() == rank) {
      throw new IllegalArgumentException(
          ("update %d of this rank, %d, from rank %d: must be less than %d, the number of computed "
                  + "ones")
              .formatted(update.number(), rank, from, log.updates(rank)));
    }
    Payload kept = update.payload().copy();
    log.add(new Part(part.place(), part.next(), update.with(kept)));
    link.hasAtLeast(update.origin(), part.next());
    client.apply(part);
    progress(update.origin());
    sendOn();
  }

  private void sendOn() {
    for (RelayLink link : links.values()) {
      sendOn(link);
    }
  }

  private void sendOn(RelayLink link) {
    int origin = next(link);
    while (origin >= 0) {
      Part part = log.get(origin, link.place(origin, log));
      isSent(link, part);
      if (origin != rank) {
        counts.add(Figure.RELAYED_UPDATES, 1);
      }
      int next = next(link);
      client.send(link.rank(), next < 0 ? Transit.LAST : Transit.NONE, part.update());
      origin = next;
    }
  }

  /** Returns the origin of the next part that may be sent to a neighbour; −1 if there is none. */
  private int next(RelayLink link) {
    return link.hasRoom(bytesUnderWay < limits.bytesUnderWay()) ? link.next(log) : -1;
  }

  /** Notes that a message of this rank has arrived at a neighbour. */
  void arrived(int neighbour, Body body) {
    RelayLink link = link(neighbour);
    if (body instanceof SharedUpdate update) {
      link.arrived(client.nowNanos());
      bytesUnderWay -= update.payload().bytes();
      sendOn(link);
    } else if (body instanceof SideHas) {
      link.toldArrived();
      tellOn(link);
    }
  }

  // ---- progress --------------------------------------------------------------------------------

  /** Receives a report of what a neighbour, its side or all ranks have. */
  void receive(int from, Progress progress) {
    RelayLink link = link(from);
    if (progress instanceof Has has) {
      check.check(from, has);
      if (!link.hears(has.origin(), has.parts())) {
        throw new IllegalArgumentException(has + " from rank " + from + ": already reported");
      }
    } else if (progress instanceof SideHas side) {
      check.check(from, side);
      carrying(from, side).sideHas(side.origin(), side.parts());
      progress(side.origin());
    } else if (progress instanceof AllHave all) {
      carrying(from, all);
      check.check(from, all);
      if (log.allHave(all.origin(), all.parts())) {
        tellAllHave(all.origin(), from);
      }
    }
  }

  /**
   * Returns the link over which a message has arrived.
   *
   * @throws IllegalArgumentException if the neighbour has not reported what it has
   */
  private RelayLink carrying(int from, Sharing what) {
    RelayLink link = link(from);
    if (!link.mayCarry()) {
      throw new IllegalArgumentException(
          what + " from rank " + from + ": must report first which parts it has");
    }
    return link;
  }

  /** Returns whether a neighbour has reported for each origin what it has. */
  boolean hasHeard(int neighbour) {
    return link(neighbour).hasHeardOfAll();
  }

  private void progress(int origin) {
    if (origin == rank) {
      tellWhatAllHave();
    } else if (towards[origin] >= 0 && link(towards[origin]).isOpen()) {
      RelayLink up = link(towards[origin]);
      long parts = log.ofWholeUpdates(leastWithout(towards[origin], origin));
      if (parts > log.allHave(origin)) {
        up.tellOfSide(origin, parts);
        tellOn(up);
      }
    }
  }

  /**
   * Returns the number of parts of an origin that all ranks have which are not on a neighbour's
   * side.
   */
  private long leastWithout(int neighbour, int origin) {
    long least = log.has(origin);
    for (RelayLink link : links.values()) {
      if (link.rank() != neighbour) {
        least = Math.min(least, link.sideHas(origin));
      }
    }
    return least;
  }

  private void tellWhatAllHave() {
    long parts = isMember ? log.ofWholeUpdates(leastWithout(rank, rank)) : 0;
    if (log.allHave(rank, parts) && parts >= toldAllHave + log.parts(TOLD_EVERY_UPDATES)) {
      toldAllHave = parts;
      tellAllHave(rank, rank);
    }
  }

  /**
   * Reports how many parts of an origin all ranks have. The report is sent at once, before any
   * update that the origin computes afterwards. A rank that has such an update has therefore
   * received the report, and keeps no more than it allows. Reports are also few, because each is
   * about one origin.
   */
  private void tellAllHave(int origin, int from) {
    for (RelayLink link : links.values()) {
      if (link.rank() != from && link.isOpen()) {
        client.send(link.rank(), Transit.LAST, new AllHave(origin, log.allHave(origin)));
      }
    }
  }

  private void tellOn(RelayLink link) {
    for (Optional<SideHas> next = link.nextToTell(); next.isPresent(); next = link.nextToTell()) {
      client.send(link.rank(), Transit.LAST, next.get());
    }
  }

  /** Returns whether all links carry updates. */
  boolean areAllOpen() {
    for (RelayLink link : links.values()) {
      if (!link.isOpen()) {
        return false;
      }
    }
    return true;
  }

  /** Returns all neighbours, ascending. */
  List<Integer> neighbours() {
    return List.copyOf(links.keySet());
  }

  @Override
  public String toString() {
    return links.values().toString();
  }
}
