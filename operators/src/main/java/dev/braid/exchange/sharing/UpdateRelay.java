package dev.braid.exchange.sharing;

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
 * One rank's links in the tree of one view, and what goes over them: updates, each to every
 * neighbour that lacks it, and back to their origins that all have them.
 *
 * <p>Links neither lose nor reorder anything within a view, and one view's links know nothing of
 * another's: as they open, ranks tell each other what they have.
 */
final class UpdateRelay {

  /** An origin tells how many of its updates all have once in so many. */
  static final int TOLD_EVERY_UPDATES = 4;

  /**
   * What there may be.
   *
   * @param partsApart by how many parts of an origin a neighbour may be ahead or behind as a link
   *     opens
   * @param bytesUnderWay of values, on all links together, where one has more messages under way
   *     than it always may
   */
  record Limits(long partsApart, long bytesUnderWay) {}

  /** What becomes of what it is told. */
  interface Client {

    long nowNanos();

    /** Sends something to a neighbour. */
    void send(int to, Transit transit, Body body);

    /** A part has come that is new here; it is in the log. */
    void apply(Part part);
  }

  private final int rank;
  private final UpdateLog log;
  private final Client client;
  private final int ranks;
  private final Limits limits;
  private final ProgressCheck check;

  /** By neighbour. */
  private final SortedMap<Integer, RelayLink> links = new TreeMap<>();

  /** By origin: from where its updates come. */
  private final int[] towards;

  private final RelayStatistics statistics;

  /** Not where the rank is left out: then its own updates are nowhere else. */
  private final boolean isMember;

  private long toldAllHave;
  private long bytesUnderWay;

  /** Links along a tree that carry nothing yet. */
  UpdateRelay(
      int rank,
      int ranks,
      RelayTree tree,
      UpdateLog log,
      RelayStatistics statistics,
      Limits limits,
      Client client) {
    this.rank = rank;
    this.log = log;
    this.statistics = statistics;
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
          "rank " + neighbour + " is no neighbour of rank " + rank + ", and sends it updates");
    }
    return link;
  }

  // ---- links open ------------------------------------------------------------------------------

  /**
   * All links carry updates: a run begins, and all ranks have the same. A checkpoint is taken only
   * when they have, and with other ranks all begin at one round.
   */
  void openAll() {
    for (RelayLink link : links.values()) {
      link.takes(log.has());
      link.open();
    }
  }

  /**
   * Tells neighbours that go on from the view before, as this rank does, what it has. Where it is
   * alone it waits for nobody.
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

  /** What a neighbour has said that it has. */
  long[] heard(int neighbour) {
    return link(neighbour).heard();
  }

  /**
   * A link carries updates from now on, if both sides go on from the view before: it is known what
   * the neighbour has. It is told of all origins beyond this rank how many all have, as that may
   * have been lost with the view before.
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

  /** A link to a neighbour whose model is a copy carries updates from now on. */
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
   * Tells a neighbour what it will have when it has the copy that is sent behind this, with all of
   * it that is kept, so that it can answer for it as this rank could.
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

  /** An update that a neighbour has sent before the copy of its model, which has it. */
  Part beforeCopy(int from, SharedUpdate update) {
    Part part = log.part(update);
    RelayLink link = link(from);
    if (!link.hasHeardOfAll() || part.next() > link.has(update.origin())) {
      throw new IllegalArgumentException(
          "update %d of rank %d from rank %d, before it was told that the model's copy has it"
              .formatted(update.number(), update.origin(), from));
    }
    return part;
  }

  // ---- updates ---------------------------------------------------------------------------------

  /** A part has been added to the log. */
  void added() {
    progress(rank);
    sendOn();
  }

  /** An update has come from a neighbour. */
  void receive(int from, SharedUpdate update) {
    Part part = log.part(update);
    RelayLink link = carrying(from, update);
    if (log.has(part)) {
      link.hasAtLeast(update.origin(), part.next());
      statistics.duplicate();
      return;
    }
    if (update.origin() == rank) {
      throw new IllegalArgumentException(
          "update %d of this rank %d from rank %d: it has computed %d"
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
        statistics.relayed();
      }
      int next = next(link);
      client.send(link.rank(), next < 0 ? Transit.LAST : Transit.NONE, part.update());
      origin = next;
    }
  }

  /** The origin of the next part that may be sent to a neighbour; −1 if none. */
  private int next(RelayLink link) {
    return link.hasRoom(bytesUnderWay < limits.bytesUnderWay()) ? link.next(log) : -1;
  }

  /** A message that this rank has sent has come to a neighbour. */
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

  // ---- how far all are -------------------------------------------------------------------------

  /** A neighbour says how far it, its side, or all are. */
  void receive(int from, Progress progress) {
    RelayLink link = link(from);
    if (progress instanceof Has has) {
      check.check(from, has);
      if (!link.hears(has.origin(), has.parts())) {
        throw new IllegalArgumentException(has + " from rank " + from + ", which has said it");
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

  /** The link that something has come over. */
  private RelayLink carrying(int from, Sharing what) {
    RelayLink link = link(from);
    if (!link.mayCarry()) {
      throw new IllegalArgumentException(
          what + " from rank " + from + ", which has not said what it has");
    }
    return link;
  }

  /** Whether a neighbour has said of each origin what it has. */
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

  /** Parts of an origin that all have that are not on a neighbour's side. */
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
   * At once, and before any update that its origin computes from then on: so who has these has
   * heard of it, and keeps no more than that. What is told of one origin at a time is as little.
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

  /** Whether all links carry updates. */
  boolean areAllOpen() {
    for (RelayLink link : links.values()) {
      if (!link.isOpen()) {
        return false;
      }
    }
    return true;
  }

  /** All neighbours, ascending. */
  List<Integer> neighbours() {
    return List.copyOf(links.keySet());
  }

  @Override
  public String toString() {
    return links.values().toString();
  }
}
