package dev.braid.exchange.async;

import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Share.Missed;
import dev.braid.exchange.transport.Outbox;
import java.util.BitSet;

/**
 * Sends peers that are back what they have missed, chunk by chunk, as their links have room,
 * whether or not this rank computes meanwhile.
 *
 * <p>Such a peer hears of this rank's round only when it has had it all; up to then no other
 * gradient is sent to it, as if it were still absent. So one that was away for long, which waits
 * for the others at its staleness bound, computes its next gradient with what it has missed of
 * everybody.
 */
final class CatchUp {

  private final Outbox outbox;
  private final BitSet peers = new BitSet();

  /**
   * For nobody yet.
   *
   * @param outbox in which a peer is absent until it has caught up
   */
  CatchUp(Outbox outbox) {
    this.outbox = outbox;
  }

  /** A peer is back. */
  void begin(int peer) {
    peers.set(peer);
  }

  /** A peer is absent again: what was not sent stays missed. */
  void giveUp(int peer) {
    peers.clear(peer);
  }

  boolean isCatchingUp(int peer) {
    return peers.get(peer);
  }

  boolean isForNobody() {
    return peers.isEmpty();
  }

  /** Sends what there is room for. */
  void goOn(AsynchronousExchange exchange) {
    for (int peer = peers.nextSetBit(0); peer >= 0; peer = peers.nextSetBit(peer + 1)) {
      goOn(exchange, peer);
    }
  }

  private void goOn(AsynchronousExchange exchange, int peer) {
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
      // It may wait for this rank's clock, while this rank waits for its.
      outbox.tellRound(peer, round);
    }
  }

  private void send(int peer, long round, Outbox.Unsent chunk) {
    Payload values = Payload.view(chunk.values(), chunk.range());
    outbox.tell(peer, round, new Missed(chunk.range(), chunk.samples(), values));
  }
}
