package dev.braid.exchange.async;

import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Share.Missed;
import dev.braid.exchange.transport.Outbox;
import java.util.BitSet;

/**
 * Sends peers that are back the gradients that they have missed, chunk by chunk, as their links
 * have room. It does so whether or not this rank computes meanwhile.
 *
 * <p>A peer is sent this rank's round only after all missed gradients. Until then no other gradient
 * is sent to it, as if it were still absent. So a peer that was absent for long, which waits for
 * the others at its staleness bound, computes its next gradient with the missed gradients of all
 * peers.
 */
final class CatchUp {

  private final Outbox outbox;
  private final BitSet peers = new BitSet();

  /**
   * Creates a catch-up without peers.
   *
   * @param outbox the outbox, in which a peer is absent until it has caught up
   */
  CatchUp(Outbox outbox) {
    this.outbox = outbox;
  }

  /** Begins the catch-up of a peer that is back. */
  void begin(int peer) {
    peers.set(peer);
  }

  /** Abandons the catch-up of a peer that is absent again. What was not sent stays missed. */
  void giveUp(int peer) {
    peers.clear(peer);
  }

  boolean isCatchingUp(int peer) {
    return peers.get(peer);
  }

  boolean isForNobody() {
    return peers.isEmpty();
  }

  /** Sends missed chunks to each peer while there is room. */
  void proceed(AsynchronousExchange exchange) {
    for (int peer = peers.nextSetBit(0); peer >= 0; peer = peers.nextSetBit(peer + 1)) {
      proceed(exchange, peer);
    }
  }

  private void proceed(AsynchronousExchange exchange, int peer) {
    long round = exchange.completedRounds() - 1;
    while (!exchange.hasCaughtUp(peer)) {
      if (!outbox.hasRoom(peer)) {
        return;
      }
      exchange.sendMissed(peer, chunk -> send(peer, round, chunk));
    }
    peers.clear(peer);
    outbox.back(peer);
    exchange.caughtUp(peer);
    if (round >= 0) {
      // The peer may wait for this rank's clock while this rank waits for the peer's.
      outbox.tellRound(peer, round);
    }
  }

  private void send(int peer, long round, Outbox.Unsent chunk) {
    Payload values = Payload.view(chunk.values(), chunk.range());
    outbox.tell(peer, round, new Missed(chunk.range(), chunk.samples(), values));
  }
}
