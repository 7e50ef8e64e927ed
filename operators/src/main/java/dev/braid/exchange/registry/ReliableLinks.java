package dev.braid.exchange.registry;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ForwardingPort;
import dev.braid.exchange.Port;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Route;
import dev.braid.exchange.transport.DeadlinePort;
import dev.braid.exchange.transport.Deadlines;
import dev.braid.exchange.transport.Deadlines.Deadline;
import dev.braid.exchange.transport.SharedValues;
import dev.braid.exchange.transport.Transport;
import dev.braid.exchange.transport.Window;
import dev.braid.vector.FloatPool;
import java.util.OptionalDouble;

/**
 * Reliable links on top of links that lose, repeat and reorder messages or are temporarily cut, by
 * means of a {@link Transport}. If the transport has no other routes, messages for a link wait
 * while it is cut, and continue when it is back.
 *
 * <p>What exceeds a window's bytes to one rank waits here, so a link that accepts nothing never
 * blocks the caller. For that, values are copied, except those that the exchange {@linkplain
 * Port#handOver hands over}.
 */
final class ReliableLinks {

  private static final int POOLED_CHUNKS = 128;

  /** Neighbours of a transport that waits for each link instead of using other routes. */
  static final int[] NO_OTHER_WAYS = {};

  private final Port port;
  private final Transport transport;
  private final FloatPool pool;
  private final Deadlines deadlines;
  private final Deadline exchangeDeadline;

  /**
   * Creates reliable links.
   *
   * @param exchangeIsDue called when the exchange's deadline has passed
   * @param window limit on what may be outstanding to one rank
   * @param neighbours ranks over which messages may go around a link
   */
  ReliableLinks(
      ExchangeConfig config,
      Port port,
      Runnable exchangeIsDue,
      Window window,
      int[] neighbours,
      Transport.Client client) {
    this.port = port;
    this.pool = new FloatPool(config.chunkLength(), POOLED_CHUNKS);
    this.deadlines = new Deadlines(port);
    this.exchangeDeadline = deadlines.of(exchangeIsDue);
    Deadline transportDeadline = deadlines.of(this::transportIsDue);
    this.transport =
        new Transport(
            config.rank(),
            new DeadlinePort(port, transportDeadline),
            neighbours,
            Route::size,
            window,
            SharedValues.NONE,
            client);
  }

  /** Returns the port for the exchange, which sends messages through the transport. */
  Port exchangePort() {
    return new ExchangePort();
  }

  Transport transport() {
    return transport;
  }

  /** Adds a deadline for another part, called after those of the exchange and the transport. */
  Deadline deadlineOf(Runnable due) {
    return deadlines.of(due);
  }

  /** Calls the parts whose deadlines have passed. */
  void deadline() {
    deadlines.deadline();
  }

  private void transportIsDue() {
    transport.deadline();
  }

  /** Rolls back the exchange and the transport. Messages sent before are void. */
  void rollBack(Runnable exchangeRollsBack) {
    exchangeDeadline.at(Deadlines.NEVER);
    exchangeRollsBack.run();
    transport.rollBack();
    deadlines.askAgain();
  }

  private final class ExchangePort extends ForwardingPort {
    ExchangePort() {
      super(port);
    }

    @Override
    public void send(Message message) {
      transport.send(message.withPayload(message.payload().copy(pool::lend)));
    }

    @Override
    public void handOver(Message message) {
      transport.send(message);
    }

    @Override
    public OptionalDouble bytesPerSecond() {
      return transport.bytesPerSecond();
    }

    @Override
    public void wakeAt(long nanos) {
      exchangeDeadline.at(nanos);
    }
  }
}
