package dev.braid.exchange.server;

import dev.braid.exchange.Asynchronous;
import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Measured;
import dev.braid.exchange.Port;
import dev.braid.exchange.Serving;
import dev.braid.exchange.Staleness;
import dev.braid.exchange.Stateful;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Pull;
import dev.braid.exchange.message.Share.Gradient;
import dev.braid.exchange.participation.Attendance;
import dev.braid.exchange.participation.Participation;
import dev.braid.exchange.state.LastingState;
import dev.braid.exchange.state.StateKind;
import dev.braid.exchange.transport.LoopbackPort;
import dev.braid.vector.Range;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Asynchronous parameter servers: each worker trains at its own pace. A server takes a step for
 * every gradient on arrival (Downpour; Dean et al., "Large Scale Distributed Deep Networks", 2012).
 * A worker continues when it has pulled the weights that its own gradient has changed. With a bound
 * τ (stale synchronous parallel; Ho et al., 2013), a server answers no worker that is more than τ
 * gradients ahead of the slowest one. A worker that has waited gets the weights at the time of the
 * answer, not at the time of its request. Without a bound, no worker waits for another.
 *
 * <p>One full gradient of each worker together make one step of the learning rate, as in all
 * exchanges in which gradients are applied one by one.
 *
 * <p>Gradients and weights are sent in chunks, with one window of unacknowledged gradients and one
 * of unanswered requests. A server therefore never waits for a worker, and when all workers have
 * the weights that they requested, nothing is in flight.
 *
 * <p>No worker waits for an absent worker. If a server is absent, all workers stop.
 *
 * <p>A worker that has no batch left pulls once more. The servers answer this pull when all workers
 * are at the end, so that all end with the same model, that of the servers.
 */
public final class AsynchronousServers
    implements Asynchronous, Attendance, Serving, Stateful, Measured {

  static final StateKind SERVER = StateKind.ofTheseRanks("server", 1);
  static final StateKind WORKER = StateKind.ofTheseRanks("worker", 1);

  private final ExchangeConfig config;
  private final LoopbackPort port;
  private final Optional<AsynchronousServer> server;
  private final Optional<PullingWorker> worker;

  /** Ranks without which this rank continues. */
  private final BitSet absent = new BitSet();

  public AsynchronousServers(ExchangeConfig config, Port port) {
    this.config = config;
    this.port = new LoopbackPort(config.rank(), port);
    ServerLayout layout = ServerLayout.of(config);
    boolean bounded =
        config.options().get(ParameterServersDescriptor.CONSISTENCY) == Consistency.SSP;
    long bound =
        bounded ? config.options().get(ExchangeOptions.STALENESS) : AsynchronousServer.UNBOUNDED;
    this.server =
        layout.isServer(config.rank())
            ? Optional.of(new AsynchronousServer(config, layout, bound, this.port))
            : Optional.empty();
    this.worker =
        layout.isWorker(config.rank())
            ? Optional.of(new PullingWorker(config, layout, this.port))
            : Optional.empty();
  }

  @Override
  public boolean mayCompute() {
    return worker.isPresent() && worker.get().mayCompute();
  }

  @Override
  public void contribute(Contribution local) {
    worker
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "rank " + config.rank() + " is a server: it computes no gradients"))
        .contribute(local);
    deliverOwn();
  }

  @Override
  public void receive(Message message) {
    handle(message);
    deliverOwn();
  }

  private void deliverOwn() {
    port.deliver(
        message -> {
          handle(message);
          toldArrived(message);
        });
  }

  @Override
  public void arrived(Message message) {
    toldArrived(message);
    deliverOwn();
  }

  private void toldArrived(Message message) {
    worker.ifPresent(sender -> sender.arrived(message));
  }

  private void handle(Message message) {
    int from = message.from();
    long round = message.round();
    if (message.body() instanceof Gradient gradient) {
      server(message).push(from, round, gradient);
    } else if (message.body() instanceof Pull.Request request) {
      server(message).pull(from, round, request);
    } else if (message.body() instanceof Pull.Withdraw withdraw) {
      server(message).withdraw(from, withdraw);
    } else if (message.body() instanceof Pull.Granted granted) {
      worker(message).weights(from, round, granted);
    } else if (message.body() instanceof Pull.Refused) {
      worker(message).refused(from);
    } else {
      throw message.unexpected();
    }
  }

  private AsynchronousServer server(Message message) {
    return server.orElseThrow(() -> message.unexpected());
  }

  private PullingWorker worker(Message message) {
    return worker.orElseThrow(() -> message.unexpected());
  }

  /** Returns the worker's rounds; a server that computes nothing has no rounds of its own. */
  @Override
  public long completedRounds() {
    return worker.map(PullingWorker::rounds).orElse(config.completedRounds());
  }

  @Override
  public Staleness staleness() {
    return worker.map(PullingWorker::staleness).orElse(Staleness.NONE);
  }

  @Override
  public Range served() {
    return server.map(AsynchronousServer::range).orElse(Range.EMPTY);
  }

  @Override
  public void flush() {
    worker.ifPresent(PullingWorker::flush);
    deliverOwn();
  }

  @Override
  public void end() {
    worker.ifPresent(PullingWorker::end);
    deliverOwn();
  }

  @Override
  public Participation participation() {
    return new Participation.ByRollCall(this);
  }

  @Override
  public void absent(int other) {
    absent.set(other);
    server.ifPresent(serving -> serving.absent(other));
    deliverOwn();
  }

  @Override
  public void back(int other) {
    absent.clear(other);
    server.ifPresent(serving -> serving.back(other));
  }

  @Override
  public List<Integer> absentRanks() {
    return absent.isEmpty() ? List.of() : absent.stream().boxed().toList();
  }

  /** Returns the absent ranks whose answers the worker needs; a server waits for no answers. */
  @Override
  public List<Integer> unreachable() {
    return absent.stream()
        .filter(other -> worker.isPresent() && worker.get().waitsFor(other))
        .boxed()
        .toList();
  }

  @Override
  public boolean awaitsOthers() {
    return server.isPresent() && server.get().keepsWaiting();
  }

  @Override
  public boolean isQuiet() {
    return worker.isEmpty() || worker.get().isQuiet();
  }

  @Override
  public void resume() {
    worker.ifPresent(PullingWorker::resume);
    deliverOwn();
  }

  @Override
  public List<LastingState> states() {
    List<LastingState> states = new ArrayList<>();
    server.ifPresent(it -> states.add(new LastingState(SERVER, it::write, it::read)));
    worker.ifPresent(it -> states.add(new LastingState(WORKER, it::write, it::read)));
    return states;
  }
}
