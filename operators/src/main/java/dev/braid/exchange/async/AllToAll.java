package dev.braid.exchange.async;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Port;
import dev.braid.exchange.transport.Outbox;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

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

  private boolean flushing;

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
    flushing = false;
    outbox().post(peers, local.round(), whole(), local.samples(), local.gradient());
    if (!missedBy.isEmpty()) {
      missedBy.values().forEach(missed -> missed.add(local));
      sendMissed();
    }
  }

  /** To those that are back; nothing waits. */
  private void sendMissed() {
    missedBy.forEach(
        (peer, missed) -> {
          if (!outbox().isAbsent(peer)) {
            boolean[] one = new boolean[peers.length];
            one[peer] = true;
            missed.post(outbox(), one, completedRounds() - 1);
          }
        });
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
  void called() {
    forgetWhatIsSent();
    if (flushing && outbox().isSent()) {
      sendMissed();
      // Where all of it went at once, a gradient may come before another message: the flush is
      // given up when its checkpoint is declined.
      forgetWhatIsSent();
    }
  }

  private void forgetWhatIsSent() {
    if (outbox().isSent()) {
      missedBy.entrySet().removeIf(of -> isUpToDate(of.getKey(), of.getValue()));
    }
  }

  /** Whether a peer lacks nothing, and is there; it then gets the next gradient as it is. */
  private boolean isUpToDate(int peer, MissedGradients missed) {
    peers[peer] = !outbox().isAbsent(peer) && (missed.isUnderWay() || missed.isEmpty());
    return peers[peer];
  }

  /** One where something had to wait, and one for each peer that lacks something. */
  @Override
  public int keptVectors() {
    return super.keptVectors() + missedBy.size();
  }

  @Override
  public void flush() {
    flushing = true;
    called();
  }

  @Override
  public void goOn() {
    flushing = false;
  }

  @Override
  public boolean isQuiet() {
    return super.isQuiet() && missedBy.values().stream().allMatch(MissedGradients::isEmpty);
  }
}
