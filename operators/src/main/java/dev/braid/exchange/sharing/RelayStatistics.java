package dev.braid.exchange.sharing;

import dev.braid.exchange.RelayUse;

/** Counts what a rank relays, and what it discards. */
final class RelayStatistics {

  private long own;
  private long relayed;
  private long duplicates;

  /** A part was sent to a neighbour, of another rank's update or of its own. */
  void sent(boolean isRelayed) {
    if (isRelayed) {
      relayed++;
    } else {
      own++;
    }
  }

  /** A part has come that was here. */
  void duplicate() {
    duplicates++;
  }

  RelayUse use() {
    return new RelayUse(own, relayed, duplicates);
  }
}
