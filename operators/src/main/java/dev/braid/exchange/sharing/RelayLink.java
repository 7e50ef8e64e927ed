package dev.braid.exchange.sharing;

import dev.braid.exchange.transport.Outbox;
import java.util.Arrays;

/**
 * What a rank knows of a neighbour in the tree of a view: what that one has, and what is under way
 * to it. It carries updates once it is open: when each has told the other what it has, or when the
 * neighbour's model is a copy of which it is known what it has.
 */
final class RelayLink {

  private final int rank;

  /** By origin: how many parts the neighbour has, or will have when what is under way has come. */
  private final long[] has;

  /** By origin: how many parts all ranks on the neighbour's side have. */
  private final long[] sideHas;

  /** By origin: what the neighbour was told of this side. */
  private final long[] told;

  private int heardOf;
  private boolean isOpen;
  private int underWay;
  private int nextOrigin;

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

  /** The neighbour has so many parts of an origin, as it says of each once. */
  void hears(int origin, long parts) {
    has[origin] = parts;
    heardOf++;
  }

  /** Whether the neighbour has said of each origin what it has. */
  boolean hasHeardOfAll() {
    return heardOf == has.length;
  }

  /** The neighbour's model is to be a copy of one that has so many parts. */
  void takes(long[] parts) {
    System.arraycopy(parts, 0, has, 0, has.length);
  }

  /** What the neighbour has told. */
  long[] heard() {
    return has.clone();
  }

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

  void open() {
    isOpen = true;
  }

  /** Whether one more part is within the link's window. */
  boolean hasRoom() {
    return isOpen && underWay < Outbox.WINDOW_MESSAGES;
  }

  /** Whether nothing is under way to the neighbour. */
  boolean isIdle() {
    return underWay == 0;
  }

  void sent(int origin, long parts) {
    has[origin] = parts;
    underWay++;
  }

  void arrived() {
    underWay--;
  }

  /**
   * The origin whose turn it is of those of which the neighbour lacks something; −1 if it lacks
   * nothing.
   */
  int next(UpdateLog log) {
    for (int i = 0; i < has.length; i++) {
      int origin = (nextOrigin + i) % has.length;
      if (has[origin] < log.has(origin)) {
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

  /** Whether this is more than the neighbour was told; it is told now. */
  boolean tells(int origin, long parts) {
    boolean isNews = parts > told[origin];
    told[origin] = Math.max(told[origin], parts);
    return isNews;
  }

  @Override
  public String toString() {
    return "link to rank %d%s, %d under way, has %s, side has %s"
        .formatted(
            rank,
            isOpen ? "" : ", closed",
            underWay,
            Arrays.toString(has),
            Arrays.toString(sideHas));
  }
}
