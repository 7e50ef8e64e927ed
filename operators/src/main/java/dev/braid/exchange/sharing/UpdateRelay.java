package dev.braid.exchange.sharing;

import dev.braid.exchange.message.Body;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Sharing.AllHave;
import dev.braid.exchange.message.Sharing.Has;
import dev.braid.exchange.message.Sharing.Progress;
import dev.braid.exchange.message.Sharing.SharedUpdate;
import dev.braid.exchange.message.Sharing.SideHas;
import dev.braid.exchange.message.Transit;
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
  private static final int TOLD_EVERY_UPDATES = 4;

  /** What becomes of what it is told. */
  interface Client {

    /** Sends something to a neighbour. */
    void send(int to, Transit transit, Body body);

    /** A part has come that is new here; it is in the log. */
    void apply(Part part);
  }

  private final int rank;
  private final UpdateLog log;
  private final Client client;
  private final int ranks;

  /** By neighbour. */
  private final SortedMap<Integer, RelayLink> links = new TreeMap<>();

  /** By origin: from where its updates come. */
  private final int[] towards;

  private final RelayStatistics statistics;

  /** Not where the rank is left out: then its own updates are nowhere else. */
  private final boolean isIn;

  private long toldAllHave;

  /** Links along a tree that carry nothing yet. */
  UpdateRelay(
      int rank,
      int ranks,
      RelayTree tree,
      UpdateLog log,
      RelayStatistics statistics,
      Client client) {
    this.rank = rank;
    this.log = log;
    this.statistics = statistics;
    this.client = client;
    this.isIn = tree.isIn(rank);
    this.towards = tree.towards(rank);
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

  /** Tells a neighbour what this rank has, which goes on from the view before as it was. */
  void greet(int neighbour) {
    tellAll(neighbour, log.has());
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

  /** A link carries updates from now on: it is known what the neighbour has. */
  void open(int neighbour) {
    RelayLink link = link(neighbour);
    if (link.isOpen()) {
      return;
    }
    link.open();
    for (int origin = 0; origin < ranks; origin++) {
      progress(origin);
    }
    sendOn(link);
    tellOn(link);
  }

  /**
   * Tells a neighbour what it will have when it has the copy that is sent behind this, with all
   * that is kept, so that it can answer for it as this rank could.
   */
  void openBehindCopy(int neighbour) {
    RelayLink link = link(neighbour);
    long[] has = log.has();
    tellAll(neighbour, has);
    for (Part part : log.kept()) {
      link.sent(part.update().origin(), part.next());
      client.send(neighbour, Transit.NONE, part.update());
    }
    link.takes(has);
    open(neighbour);
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
    link(from).hasAtLeast(update.origin(), part.next());
    if (log.has(part)) {
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
    int origin = link.hasRoom() ? link.next(log) : -1;
    while (origin >= 0) {
      Part part = log.get(origin, link.place(origin, log));
      link.sent(origin, part.next());
      if (origin != rank) {
        statistics.relayed();
      }
      int next = link.hasRoom() ? link.next(log) : -1;
      client.send(link.rank(), next < 0 ? Transit.LAST : Transit.NONE, part.update());
      origin = next;
    }
  }

  /** A message that this rank has sent has come to a neighbour. */
  void arrived(int neighbour, Body body) {
    RelayLink link = link(neighbour);
    if (body instanceof SharedUpdate) {
      link.arrived();
      sendOn(link);
    } else if (body instanceof SideHas || body instanceof AllHave) {
      link.toldArrived();
      tellOn(link);
    }
  }

  // ---- how far all are -------------------------------------------------------------------------

  /** A neighbour says how far it, its side, or all are. */
  void receive(int from, Progress progress) {
    int origin = progress.origin();
    if (origin >= ranks) {
      throw new IllegalArgumentException(
          progress + " from rank " + from + ": there are " + ranks + " ranks");
    }
    if (progress instanceof Has has) {
      link(from).hears(origin, has.parts());
    } else if (progress instanceof SideHas side) {
      link(from).sideHas(origin, side.parts());
      progress(origin);
    } else if (progress instanceof AllHave all) {
      receive(from, all);
    }
  }

  private void receive(int from, AllHave all) {
    if (all.origin() == rank || all.parts() > log.has(all.origin())) {
      throw new IllegalArgumentException(
          "%s from rank %d: rank %d has %d, and knows itself who has its own"
              .formatted(all, from, rank, log.has(all.origin())));
    }
    if (log.allHave(all.origin(), all.parts())) {
      tellAllHave(all.origin(), from);
    }
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
      long parts = log.ofWholeUpdates(leastWithout(up, origin));
      if (parts > log.allHave(origin)) {
        up.tellOfSide(origin, parts);
        tellOn(up);
      }
    }
  }

  /** Parts of an origin that all have that are not on a link's side. */
  private long leastWithout(RelayLink up, int origin) {
    long least = log.has(origin);
    for (RelayLink link : links.values()) {
      if (link != up) {
        least = Math.min(least, link.sideHas(origin));
      }
    }
    return least;
  }

  private void tellWhatAllHave() {
    long parts = isIn ? log.ofWholeUpdates(leastWithout(null, rank)) : 0;
    if (log.allHave(rank, parts) && parts >= toldAllHave + log.parts(TOLD_EVERY_UPDATES)) {
      toldAllHave = parts;
      tellAllHave(rank, rank);
    }
  }

  private void tellAllHave(int origin, int from) {
    for (RelayLink link : links.values()) {
      if (link.rank() != from) {
        link.tellOfAll(origin);
        tellOn(link);
      }
    }
  }

  private void tellOn(RelayLink link) {
    for (Optional<Progress> next = link.nextToTell(log);
        next.isPresent();
        next = link.nextToTell(log)) {
      client.send(link.rank(), Transit.LAST, next.get());
    }
  }

  /** Whether all links carry updates. */
  boolean areAllOpen() {
    return links.values().stream().allMatch(RelayLink::isOpen);
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
