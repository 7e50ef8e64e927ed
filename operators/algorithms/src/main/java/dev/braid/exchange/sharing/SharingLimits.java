package dev.braid.exchange.sharing;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.participation.View;
import dev.braid.exchange.transport.Flight;

/**
 * The limit of how far a rank may be ahead, and the resulting limits of what is in flight and kept.
 *
 * @param staleness maximum number of gradients by which a rank may be ahead of the slowest when it
 *     computes another
 * @param bytesUnderWay limit of the bytes of values in flight on all links together; once it is
 *     reached, each link may have only its minimum number of messages in flight
 */
record SharingLimits(int rank, long staleness, long bytesUnderWay) {

  /** Number of own updates that may be missing at some rank in addition to twice the staleness. */
  private static final int MORE_NOT_EVERYWHERE = 4;

  static SharingLimits of(ExchangeConfig config) {
    return new SharingLimits(
        config.rank(),
        1L + config.options().get(SharingDescriptor.STALENESS),
        Flight.mostBytes(config));
  }

  /**
   * Returns the maximum number of a rank's own updates that some rank may lack when it computes
   * another.
   */
  long notEverywhere() {
    return 2 * staleness + MORE_NOT_EVERYWHERE;
  }

  /** Returns the maximum number of its own updates that a rank keeps. */
  long keptOfOwn() {
    return notEverywhere() + 1;
  }

  /**
   * Returns the maximum number of another rank's updates that a rank keeps while the view does not
   * change. An origin reports only once every few updates how many all ranks have, ahead of the
   * updates that it computes afterwards. These reports may be lost in a change of views. Until they
   * are sent again, the maximum is this number plus {@link #keptOfOwn}.
   */
  long keptOfOther() {
    return keptOfOwn() + UpdateRelay.TOLD_EVERY_UPDATES - 1;
  }

  /**
   * Returns the limits for a view's links. A rank that waits for a copy may be any number of parts
   * behind.
   */
  UpdateRelay.Limits of(View view, UpdateLog log) {
    long partsApart = view.current().contains(rank) ? log.parts(keptOfOwn()) : Long.MAX_VALUE;
    return new UpdateRelay.Limits(partsApart, bytesUnderWay);
  }
}
