package dev.braid.exchange.async;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Figure;
import dev.braid.exchange.FigureValues;
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
 * <p>A rank sends n − 1 vectors for each gradient, and the load of the whole network grows with n².
 * On a network that cannot carry it, computing waits for sending. On a network that can, no
 * exchange delivers gradients sooner: a gradient is one round old when it has reached all ranks.
 */
public final class AllToAll extends AsynchronousExchange {

  /**
   * The peers that are sent each gradient directly, because they lack none; {@code boolean[ranks]}.
   */
  private final boolean[] peers;

  /** The missed gradients of all other peers, by rank. */
  private final Map<Integer, MissedGradients> missedBy = new TreeMap<>();

  private final CatchUp catchUps = new PeerCatchUp();

  public AllToAll(ExchangeConfig config, Port port) {
    super(config, port);
    peers = new boolean[config.ranks()];
    Arrays.fill(peers, true);
    peers[config.rank()] = false;
  }

  /** Returns Ako's bound with one partition, 1 + τ. */
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
  CatchUp catchUps() {
    return catchUps;
  }

  /** The missed gradients of each peer, apart from each other. */
  private final class PeerCatchUp implements CatchUp {

    @Override
    public void markAbsent(int peer, Outbox.Unsent unsent) {
      peers[peer] = false;
      missedBy.computeIfAbsent(peer, key -> new MissedGradients(config().length())).add(unsent);
    }

    @Override
    public boolean hasUnsent(int peer) {
      return missedBy.containsKey(peer) && !missedBy.get(peer).isEmpty();
    }

    @Override
    public boolean hasCaughtUp(int peer) {
      return missedBy.get(peer).isEmpty();
    }

    @Override
    public void sendMissed(int peer, Consumer<Outbox.Unsent> send) {
      missedBy.get(peer).sendNext(config().chunkLength(), send);
    }

    @Override
    public void endCatchUp(int peer) {
      missedBy.remove(peer);
      peers[peer] = true;
    }
  }

  /**
   * Returns whether a peer still lacks gradients computed during its catch-up. They are sent before
   * the next gradient is computed, as gradients to other peers are.
   */
  @Override
  boolean isHeldUp() {
    return missedBy.values().stream().anyMatch(MissedGradients::isOnlyLate);
  }

  /**
   * Adds the number of vectors kept: one if anything had to wait in the outbox, and one for each
   * peer that lacks something.
   */
  @Override
  public void addFigures(FigureValues to) {
    super.addFigures(to);
    to.add(Figure.KEPT_VECTORS, missedBy.size());
  }

  /** Does nothing: gradients are kept back only from peers that are absent or catching up. */
  @Override
  public void flush() {}

  @Override
  public boolean isQuiet() {
    return super.isQuiet() && missedBy.values().stream().allMatch(MissedGradients::isEmpty);
  }
}
