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
 * Links that lose nothing, of links that lose, repeat and reorder messages or are cut for a while:
 * a {@link Transport}. Where that knows no other ways, what needs a link waits while it is cut, and
 * goes on when it is back as if nothing had been.
 *
 * <p>What goes beyond a window's bytes to one rank waits here, so that a link that takes nothing
 * never blocks the caller. For that, values are copied, but for those that the exchange {@linkplain
 * Port#handOver hands over}.
 */
final class ReliableLinks {

  private static final int POOLED_CHUNKS = 128;

  /** Of a transport that waits for each link. */
  static final int[] NO_OTHER_WAYS = {};

  private final Port port;
  private final Transport transport;
  private final FloatPool pool;
  private final Deadlines deadlines;
  private final Deadline exchangeDeadline;

  /**
   * @param exchangeIsDue a time that the exchange has asked for has come
   * @param window what may be outstanding to one rank
   * @param neighbours over whom messages may go around a link
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

  /** What the exchange does to the world: its messages go to the transport. */
  Port exchangePort() {
    return new ExchangePort();
  }

  Transport transport() {
    return transport;
  }

  /** The deadline of another part, called behind those of the exchange and the transport. */
  Deadline deadlineOf(Runnable due) {
    return deadlines.of(due);
  }

  /** A time that was asked for has come. */
  void deadline() {
    deadlines.deadline();
  }

  private void transportIsDue() {
    transport.deadline();
  }

  /** Nothing that was sent counts any more. */
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
