package dev.braid.exchange.registry;

import dev.braid.exchange.Asynchronous;
import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.Update;
import dev.braid.exchange.Wrapping;
import dev.braid.exchange.membership.RollCall;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.participation.Participation;
import dev.braid.exchange.transport.Deadlines.Deadline;
import dev.braid.exchange.transport.InOrder;
import dev.braid.exchange.transport.Transport;
import dev.braid.exchange.transport.Window;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * An asynchronous exchange on {@link ReliableLinks}. Each gradient arrives once at every rank, and
 * each rank's messages arrive in the order in which they were sent. The guarantees of these
 * exchanges require this order at each moment, not only in the end. Their outbox limits what they
 * have in flight. So the links hold at most the copies of that many messages to each rank; the rest
 * waits in the outbox, and in accumulators.
 *
 * <p>If the exchange uses roll calls, it is notified of absent ranks ({@link RollCall}).
 */
final class ReliableAsynchronous implements Asynchronous, Wrapping {

  private final int rank;
  private final Port port;
  private final ReliableLinks links;
  private final Asynchronous exchange;
  private final Optional<RollCall> rollCall;
  private final Deadline rollCallDeadline;

  ReliableAsynchronous(
      ExchangeConfig config,
      Port port,
      BiFunction<ExchangeConfig, Port, ? extends Asynchronous> algorithm) {
    this.rank = config.rank();
    this.port = port;
    this.links =
        new ReliableLinks(
            config,
            port,
            this::exchangeIsDue,
            Window.ofOutbox(config),
            ReliableLinks.NO_OTHER_WAYS,
            new LinksClient());
    this.exchange = algorithm.apply(config, links.exchangePort());
    this.rollCall =
        exchange
            .participation()
            .attendance()
            .map(attendance -> new RollCall(config, links.transport(), attendance));
    this.rollCallDeadline = links.deadlineOf(this::rollCallIsDue);
  }

  private void exchangeIsDue() {
    exchange.deadline();
  }

  private final class LinksClient implements Transport.Client {
    private final InOrder inOrder = new InOrder(message -> exchange.receive(message));

    @Override
    public void deliver(Message message) {
      inOrder.accept(message);
    }

    @Override
    public void arrived(Message message) {
      exchange.arrived(message);
    }

    @Override
    public void silent(int other) {
      rollCall.ifPresent(call -> call.silent(other));
    }
  }

  private void rollCallIsDue() {
    rollCall.ifPresent(call -> call.deadline(port.nowNanos()));
  }

  /** Updates the roll call and the deadlines after a call from the host. */
  private void afterEachCall() {
    if (rollCall.isPresent() && rollCall.get().update(port.nowNanos())) {
      rollCallDeadline.at(rollCall.get().deadlineNanos());
    }
    links.transport().arm();
  }

  @Override
  public Asynchronous wrapped() {
    return exchange;
  }

  @Override
  public boolean mayCompute() {
    return exchange.mayCompute();
  }

  @Override
  public void contribute(Contribution local) {
    links.transport().resume();
    exchange.contribute(local);
    afterEachCall();
  }

  @Override
  public void receive(Message message) {
    links.transport().receive(message);
    afterEachCall();
  }

  /**
   * Passes an arrival on to the exchange. The exchange's own transport reports arrivals to it
   * directly.
   */
  @Override
  public void arrived(Message message) {
    exchange.arrived(message);
    afterEachCall();
  }

  @Override
  public void deadline() {
    links.deadline();
    afterEachCall();
  }

  @Override
  public long completedRounds() {
    return exchange.completedRounds();
  }

  @Override
  public Participation participation() {
    return exchange.participation();
  }

  @Override
  public void flush() {
    exchange.flush();
    afterEachCall();
  }

  @Override
  public void end() {
    exchange.end();
    afterEachCall();
  }

  @Override
  public void emptied() {
    exchange.emptied();
  }

  @Override
  public void awaitOthers(boolean waits) {
    rollCall.ifPresent(call -> call.awaitOthers(waits));
    afterEachCall();
  }

  @Override
  public boolean isQuiet() {
    return exchange.isQuiet();
  }

  @Override
  public List<Integer> unreachable() {
    boolean isCutOff = rollCall.isPresent() && rollCall.get().isCutOff();
    return isCutOff && !isQuiet() ? List.of(rank) : exchange.unreachable();
  }

  @Override
  public List<Update.GradientSum> deferredSteps() {
    return exchange.deferredSteps();
  }

  @Override
  public void resume() {
    links.transport().resume();
    exchange.resume();
    afterEachCall();
  }
}
