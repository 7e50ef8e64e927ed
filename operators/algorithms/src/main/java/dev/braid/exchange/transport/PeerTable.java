package dev.braid.exchange.transport;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;

/**
 * All peers of a transport; each is created on first access. The table is an array by rank, because
 * every message needs a look-up.
 */
final class PeerTable {

  private final IntFunction<Peer> open;
  private final List<Peer> opened = new ArrayList<>();
  private final List<Peer> all = Collections.unmodifiableList(opened);

  /** The peers by rank, or null. */
  private Peer[] byRank = {};

  PeerTable(IntFunction<Peer> open) {
    this.open = open;
  }

  Peer of(int rank) {
    if (rank >= byRank.length) {
      byRank = Arrays.copyOf(byRank, rank + 1);
    }
    if (byRank[rank] == null) {
      byRank[rank] = open.apply(rank);
      opened.add(byRank[rank]);
      opened.sort((one, other) -> Integer.compare(one.rank(), other.rank()));
    }
    return byRank[rank];
  }

  /** Returns all peers created so far, by rank. */
  List<Peer> all() {
    return all;
  }
}
