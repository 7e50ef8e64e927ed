package dev.braid.exchange.sharing;

import dev.braid.exchange.RelayUse;

/** Counts what a rank relays, and what it discards. */
final class RelayStatistics {

  private long relayed;
  private long duplicates;

  /** A part of another rank's update was sent to a neighbour. */
  void relayed() {
    relayed++;
  }

  /** A part has come that was here. */
  void duplicate() {
    duplicates++;
  }

  RelayUse use() {
    return new RelayUse(relayed, duplicates);
  }
}
