package dev.braid.exchange.async;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Port;
import dev.braid.exchange.transport.Outbox;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * All-to-all: every rank sends its full gradient to every other rank, asynchronously (Ako §3, the
 * strawman; "All-to-All" in §5).
 *
 * <p>What a rank sends grows with n, n − 1 vectors for each gradient, and the whole network's load
 * with n²: on a network that cannot carry it, computing waits for sending. Where it can, no
 * exchange gets gradients to others sooner, and a gradient is one round old when it has reached
 * all.
 */
public final class AllToAll extends AsynchronousExchange {

  /** Those that get each gradient as it is: all that lack none. */
  private final boolean[] peers;

  /** What the others have missed. */
  private final Map<Integer, MissedGradients> missedBy = new TreeMap<>();

  public AllToAll(ExchangeConfig config, Port port) {
    super(config, port);
    peers = new boolean[config.ranks()];
    Arrays.fill(peers, true);
    peers[config.rank()] = false;
  }

  /** Ako's bound with one partition. */
  @Override
  long stalenessBound() {
    return 1L + config().options().get(ExchangeOptions.STALENESS);
  }

  @Override
  void share(Contribution local) {
    outbox().post(peers, local.round(), whole(), local.samples(), local.gradient());
    missedBy.values().forEach(missed -> missed.add(local));
  }

  @Override
  void miss(int peer, Outbox.Unsent unsent) {
    peers[peer] = false;
    missedBy.computeIfAbsent(peer, key -> new MissedGradients(config().length())).add(unsent);
  }

  @Override
  boolean lacksSome(int peer) {
    return missedBy.containsKey(peer) && !missedBy.get(peer).isEmpty();
  }

  @Override
  boolean hasCaughtUp(int peer) {
    return missedBy.get(peer).isEmpty();
  }

  @Override
  void sendMissed(int peer, Consumer<Outbox.Unsent> send) {
    missedBy.get(peer).sendNext(config().chunkLength(), send);
  }

  @Override
  void caughtUp(int peer) {
    missedBy.remove(peer);
    peers[peer] = true;
  }

  /** What was computed while a peer was catching up is sent before more is, as to the others. */
  @Override
  boolean isHeldUp() {
    return missedBy.values().stream().anyMatch(MissedGradients::isOnlyLate);
  }

  /** One where something had to wait, and one for each peer that lacks something. */
  @Override
  public int keptVectors() {
    return super.keptVectors() + missedBy.size();
  }

  /** Nothing is kept back but from those that are absent, or catching up. */
  @Override
  public void flush() {}

  @Override
  public boolean isQuiet() {
    return super.isQuiet() && missedBy.values().stream().allMatch(MissedGradients::isEmpty);
  }
}
