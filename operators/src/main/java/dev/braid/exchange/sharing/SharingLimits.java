package dev.braid.exchange.sharing;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.participation.View;
import dev.braid.exchange.transport.Flight;

/**
 * How far a rank may be ahead, and what follows for what is under way, and kept.
 *
 * @param staleness by how many gradients a rank may be ahead of the slowest when it computes
 *     another
 * @param bytesUnderWay of values, on all links together, where one has more messages under way than
 *     it always may
 */
record SharingLimits(int rank, long staleness, long bytesUnderWay) {

  /** What is computed ahead of what all have, beyond what staleness allows. */
  private static final int MORE_NOT_EVERYWHERE = 4;

  static SharingLimits of(ExchangeConfig config) {
    return new SharingLimits(
        config.rank(),
        1L + config.options().get(SharingDescriptor.STALENESS),
        Flight.mostBytes(config));
  }

  /** How many of a rank's own updates somebody may lack when it computes another. */
  long notEverywhere() {
    return 2 * staleness + MORE_NOT_EVERYWHERE;
  }

  /** How many updates of its own a rank keeps at most. */
  long keptOfOwn() {
    return notEverywhere() + 1;
  }

  /**
   * How many updates of another rank it keeps at most while the view stays. An origin tells that
   * all have so many once in a few updates, ahead of what it computes from then on. After a change
   * of views these may have been lost on their way: then it may be that many and {@link #keptOfOwn}
   * until they are told again.
   */
  long keptOfOther() {
    return keptOfOwn() + UpdateRelay.TOLD_EVERY_UPDATES - 1;
  }

  /** What a view's links may carry; whoever waits for a copy may be any number behind. */
  UpdateRelay.Limits of(View view, UpdateLog log) {
    long partsApart = view.current().contains(rank) ? log.parts(keptOfOwn()) : Long.MAX_VALUE;
    return new UpdateRelay.Limits(partsApart, bytesUnderWay);
  }
}
