package dev.braid.exchange;

import java.util.Arrays;

/**
 * All-to-all: every rank sends its full gradient to every other rank, asynchronously (Ako §3, the
 * strawman; "All-to-All" in §5).
 *
 * <p>What a rank sends grows with n, n − 1 vectors for each gradient, and the whole network's load
 * with n²: on a network that cannot carry it, computing waits for sending. Where it can, no
 * exchange gets gradients to others sooner, and a gradient is one round old when it has reached
 * all.
 */
final class AllToAll extends AsynchronousExchange {

  private final boolean[] peers;

  AllToAll(ExchangeConfig config, Port port) {
    super(config, port);
    peers = new boolean[config.ranks()];
    Arrays.fill(peers, true);
    peers[config.rank()] = false;
  }

  /** Ako's bound with one partition. */
  @Override
  long stalenessBound() {
    return 1L + config().options().staleness();
  }

  @Override
  void share(Contribution local) {
    outbox().post(peers, local.round(), whole(), local.samples(), local.gradient());
  }
}
