package dev.braid.exchange.registry;

import dev.braid.exchange.BandwidthUse;
import dev.braid.exchange.Contribution;
import dev.braid.exchange.Deadlines;
import dev.braid.exchange.Deadlines.Deadline;
import dev.braid.exchange.Exchange;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ForwardingPort;
import dev.braid.exchange.Port;
import dev.braid.exchange.Staleness;
import dev.braid.exchange.Update;
import dev.braid.exchange.membership.Attendance;
import dev.braid.exchange.membership.RollCall;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Route;
import dev.braid.exchange.transport.InOrder;
import dev.braid.exchange.transport.SharedValues;
import dev.braid.exchange.transport.Transport;
import dev.braid.exchange.transport.Window;
import dev.braid.vector.FloatPool;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Any exchange over links that lose, repeat and reorder messages or are cut for a while: on a
 * {@link Transport} that knows no other ways, so that what needs a link stands still while it is
 * cut, and goes on when it is back as if nothing had been: synchronous rounds with the right sum,
 * asynchronous gradients each once at every rank.
 *
 * <p>Asynchronous exchanges get each rank's messages in the order in which they were sent, as what
 * they promise at each moment, and not only in the end, rests on it. Their outbox bounds what they
 * have under way, so nearly nothing waits here: it is in the outbox, and in accumulators.
 *
 * <p>Where a rank cannot be reached for long, asynchronous exchanges go on without it ({@link
 * RollCall}); synchronous ones stand still.
 *
 * <p>What goes beyond a window's bytes to one rank waits here, so that a link that takes nothing
 * never blocks the caller. For that, values are copied once more than on links that can be relied
 * on.
 */
final class ReliableExchange implements Exchange {

  private static final int POOLED_CHUNKS = 128;
  private static final int[] NO_OTHER_WAYS = {};

  private final int rank;
  private final Port port;
  private final Transport transport;
  private final Exchange exchange;
  private final RollCall rollCall;
  private final FloatPool pool;
  private final Deadlines deadlines;
  private final Deadline exchangeDeadline;
  private final Deadline transportDeadline;
  private final Deadline rollCallDeadline;

  ReliableExchange(
      ExchangeConfig config, Port port, BiFunction<ExchangeConfig, Port, Exchange> exchange) {
    this.rank = config.rank();
    this.port = port;
    this.pool = new FloatPool(config.chunkLength(), POOLED_CHUNKS);
    this.deadlines = new Deadlines(port);
    this.exchangeDeadline = deadlines.of(this::exchangeIsDue);
    this.transportDeadline = deadlines.of(this::transportIsDue);
    this.rollCallDeadline = deadlines.of(this::rollCallIsDue);
    InOrder inOrder = new InOrder(this::deliver);
    this.transport =
        new Transport(
            config.rank(),
            new TransportPort(port),
            NO_OTHER_WAYS,
            Route::size,
            Window.ofStream(config),
            message -> {
              if (isSynchronous()) {
                deliver(message);
              } else {
                inOrder.accept(message);
              }
            },
            this::lost,
            SharedValues.NONE);
    this.exchange = exchange.apply(config, new ExchangePort(port));
    this.rollCall =
        new RollCall(
            config,
            transport,
            this.exchange instanceof Attendance attendance ? attendance : Attendance.NONE);
  }

  private void lost(int other) {
    if (!isSynchronous()) {
      rollCall.lost(other);
    }
  }

  @Override
  public boolean isSynchronous() {
    return exchange.isSynchronous();
  }

  @Override
  public boolean mayCompute() {
    return exchange.mayCompute();
  }

  @Override
  public void contribute(Contribution local) {
    transport.goOn();
    exchange.contribute(local);
    called();
  }

  @Override
  public void receive(Message message) {
    transport.receive(message);
    called();
  }

  private void deliver(Message message) {
    exchange.receive(message);
  }

  @Override
  public void deadline() {
    deadlines.deadline();
    called();
  }

  private void exchangeIsDue() {
    exchange.deadline();
  }

  private void transportIsDue() {
    transport.deadline();
  }

  private void rollCallIsDue() {
    rollCall.deadline(port.nowNanos());
  }

  /** After whatever has happened. */
  private void called() {
    if (rollCall.update(port.nowNanos())) {
      rollCallDeadline.at(rollCall.deadlineNanos());
    }
    transport.arm();
  }

  @Override
  public long completedRounds() {
    return exchange.completedRounds();
  }

  @Override
  public void rollBack() {
    exchangeDeadline.at(Deadlines.NEVER);
    exchange.rollBack();
    transport.rollBack();
    deadlines.askAgain();
  }

  @Override
  public long jointRounds() {
    return exchange.jointRounds();
  }

  @Override
  public Staleness staleness() {
    return exchange.staleness();
  }

  @Override
  public List<Update.GradientSum> heldBack() {
    return exchange.heldBack();
  }

  @Override
  public boolean isThrough(long rounds) {
    return exchange.isThrough(rounds);
  }

  @Override
  public Optional<Range> served() {
    return exchange.served();
  }

  @Override
  public boolean replicasAgree() {
    return exchange.replicasAgree();
  }

  @Override
  public Optional<BandwidthUse> bandwidthUse() {
    return exchange.bandwidthUse();
  }

  @Override
  public int keptVectors() {
    return exchange.keptVectors();
  }

  @Override
  public List<Integer> absent() {
    return rollCall.absent();
  }

  @Override
  public void flush() {
    exchange.flush();
    called();
  }

  @Override
  public void end() {
    exchange.end();
    called();
  }

  @Override
  public boolean isQuiet() {
    return exchange.isQuiet();
  }

  @Override
  public List<Integer> unreachable() {
    return rollCall.isCutOff() && !isQuiet() ? List.of(rank) : exchange.unreachable();
  }

  @Override
  public void goOn() {
    transport.goOn();
    exchange.goOn();
    called();
  }

  @Override
  public boolean servesWhileHeld() {
    return true;
  }

  @Override
  public void writeState(DataOutput out) throws IOException {
    exchange.writeState(out);
  }

  @Override
  public void readState(DataInput in) throws IOException {
    exchange.readState(in);
  }

  private Payload copy(Payload payload) {
    if (payload.isEmpty()) {
      return Payload.none();
    }
    Slice copy = pool.lend(payload.length());
    payload.copyTo(copy.array(), copy.offset());
    return Payload.of(copy);
  }

  /** What the exchange does to the world: its messages go to the transport. */
  private final class ExchangePort extends ForwardingPort {
    ExchangePort(Port port) {
      super(port);
    }

    @Override
    public void send(Message message) {
      transport.send(message.withPayload(copy(message.payload())));
    }

    @Override
    public void wakeAt(long nanos) {
      exchangeDeadline.at(nanos);
    }
  }

  /** What the transport does to the world. */
  private final class TransportPort extends ForwardingPort {
    TransportPort(Port port) {
      super(port);
    }

    @Override
    public void wakeAt(long nanos) {
      transportDeadline.at(nanos);
    }

    @Override
    public void update(Update update) {
      throw new UnsupportedOperationException("a transport changes no model");
    }
  }
}
