package dev.braid.exchange.sharing;

import dev.braid.exchange.message.Sharing.SideHas;
import dev.braid.exchange.transport.Flight;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;

/**
 * What a rank knows of a neighbour in the tree of a view: what that one has, and what is under way
 * to it. It carries updates once it is open: when each has told the other what it has, or when the
 * neighbour's model is a copy of which it is known what it has.
 */
final class RelayLink {

  /**
   * Messages about progress that are under way at most, besides those with updates: with more, a
   * round of 31 ranks on links with answers after 20 ms takes a sixth less time, and a fifth more
   * messages, as fewer are told with later ones.
   */
  private static final int TELLING_MESSAGES = 2;

  private final int rank;

  /** By origin: how many parts the neighbour has, or will have when what is under way has come. */
  private final long[] has;

  /** By origin: how many parts all ranks on the neighbour's side have. */
  private final long[] sideHas;

  /** By origin: what the neighbour is told of this side, or is to be. */
  private final long[] told;

  /** Origins of which the neighbour is to be told how far this side is. */
  private final BitSet sideIsNews = new BitSet();

  /** Origins of which the neighbour has said what it has. */
  private final BitSet heardOf = new BitSet();

  /** Messages with updates that are under way: as many as the link bears. */
  private final Flight updates = new Flight();

  private boolean isOpen;
  private int tellingUnderWay;
  private int nextOrigin;
  private int nextTold;

  /** A link that carries nothing yet. */
  RelayLink(int rank, int ranks) {
    this.rank = rank;
    this.has = new long[ranks];
    this.sideHas = new long[ranks];
    this.told = new long[ranks];
  }

  int rank() {
    return rank;
  }

  // ---- what it has -----------------------------------------------------------------------------

  /** The neighbour has so many parts of an origin; whether it says so for the first time. */
  boolean hears(int origin, long parts) {
    if (isOpen || heardOf.get(origin)) {
      return false;
    }
    has[origin] = parts;
    heardOf.set(origin);
    return true;
  }

  /** Whether the neighbour has said of each origin what it has. */
  boolean hasHeardOfAll() {
    return heardOf.cardinality() == has.length;
  }

  /** The neighbour's model is to be a copy of one that has so many parts. */
  void takes(long[] parts) {
    System.arraycopy(parts, 0, has, 0, has.length);
  }

  /** What the neighbour has told. */
  long[] heard() {
    return has.clone();
  }

  /** How many parts of an origin the neighbour has, as far as it is known. */
  long has(int origin) {
    return has[origin];
  }

  /** The neighbour has so many at least: it has sent the last of them. */
  void hasAtLeast(int origin, long parts) {
    has[origin] = Math.max(has[origin], parts);
  }

  // ---- whether it carries updates --------------------------------------------------------------

  boolean isOpen() {
    return isOpen;
  }

  /** Whether something may come over it but what the neighbour has. */
  boolean mayCarry() {
    return isOpen || hasHeardOfAll();
  }

  void open() {
    isOpen = true;
  }

  /**
   * Whether one more part is within the link's window.
   *
   * @param isLittleUnderWay whether of all links little enough is that one may have more than the
   *     least
   */
  boolean hasRoom(boolean isLittleUnderWay) {
    return isOpen && updates.hasRoom(isLittleUnderWay);
  }

  void sent(int origin, long parts, long nowNanos) {
    has[origin] = parts;
    updates.sent(nowNanos);
  }

  void arrived(long nowNanos) {
    updates.arrived(nowNanos);
  }

  /**
   * The place of the first part that the neighbour may lack: what all have it has, though this rank
   * has not sent it.
   */
  long place(int origin, UpdateLog log) {
    return Math.max(has[origin], log.allHave(origin));
  }

  /**
   * The origin whose turn it is of those of which the neighbour lacks something; −1 if it lacks
   * nothing.
   */
  int next(UpdateLog log) {
    for (int i = 0; i < has.length; i++) {
      int origin = (nextOrigin + i) % has.length;
      if (place(origin, log) < log.has(origin)) {
        nextOrigin = origin + 1;
        return origin;
      }
    }
    return -1;
  }

  // ---- what all of its side have ---------------------------------------------------------------

  void sideHas(int origin, long parts) {
    sideHas[origin] = Math.max(sideHas[origin], parts);
  }

  long sideHas(int origin) {
    return sideHas[origin];
  }

  /** The neighbour is to be told that all on this side have so many, if it was not. */
  void tellOfSide(int origin, long parts) {
    if (parts > told[origin]) {
      told[origin] = parts;
      sideIsNews.set(origin);
    }
  }

  /**
   * What the neighbour is to be told next, of the origin whose turn it is, if there is something,
   * and if little enough is under way: what would queue up on a slow link is told once, with the
   * latest numbers.
   */
  Optional<SideHas> nextToTell() {
    if (!isOpen || sideIsNews.isEmpty() || tellingUnderWay >= TELLING_MESSAGES) {
      return Optional.empty();
    }
    int later = sideIsNews.nextSetBit(nextTold);
    int origin = later >= 0 ? later : sideIsNews.nextSetBit(0);
    sideIsNews.clear(origin);
    nextTold = origin + 1;
    tellingUnderWay++;
    return Optional.of(new SideHas(origin, told[origin]));
  }

  /** What the neighbour was told has come to it. */
  void toldArrived() {
    tellingUnderWay--;
  }

  @Override
  public String toString() {
    return "link to rank %d%s, %d under way, has %s, side has %s"
        .formatted(
            rank,
            isOpen ? "" : ", closed",
            updates.underWay(),
            Arrays.toString(has),
            Arrays.toString(sideHas));
  }
}
