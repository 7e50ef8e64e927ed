package dev.braid.exchange.sharing;

import dev.braid.exchange.RelayUse;

/** Counts the parts that a rank relays and those that it discards. */
final class RelayStatistics {

  private long relayed;
  private long duplicates;

  /** Counts a part of another rank's update that was sent to a neighbour. */
  void relayed() {
    relayed++;
  }

  /** Counts an arriving part that this rank already has. */
  void duplicate() {
    duplicates++;
  }

  RelayUse use() {
    return new RelayUse(relayed, duplicates);
  }
}
