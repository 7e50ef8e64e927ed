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
 * Parameter servers at each worker's own pace: a server takes a step for every gradient as it comes
 * (Downpour; Dean et al., "Large Scale Distributed Deep Networks", 2012), and a worker goes on when
 * it has pulled the weights that its own gradient has changed. With a bound τ (stale synchronous
 * parallel; Ho et al., 2013) a server lets no worker have them that is ahead of the slowest by more
 * than τ gradients: one that has waited gets weights that are new then, and not those of when it
 * asked. Without a bound, nobody waits for anybody.
 *
 * <p>One full gradient of each worker makes one step of the learning rate, as in all exchanges in
 * which gradients are applied one by one.
 *
 * <p>Gradients and weights go in chunks, each way in a window of its own: of gradients that have
 * not arrived, and of questions that servers have not answered. So a server never waits for a
 * worker, and when all workers have what they have asked for, nothing is in flight.
 *
 * <p>An absent worker keeps nobody waiting either. Without a server all stand still.
 *
 * <p>A worker that has no batch left pulls once more, and is answered when all are at the end: then
 * all have the same model, which is that of the servers.
 */
public final class AsynchronousServers
    implements Asynchronous, Attendance, Serving, Stateful, Measured {

  static final StateKind SERVER = StateKind.ofTheseRanks("server", 1);
  static final StateKind WORKER = StateKind.ofTheseRanks("worker", 1);

  private final ExchangeConfig config;
  private final LoopbackPort port;
  private final Optional<AsynchronousServer> server;
  private final Optional<PullingWorker> worker;

  /** Ranks that this one goes on without. */
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

  /** A server that computes nothing has no rounds of its own. */
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

  /** A worker needs answers; a server has none to wait for. */
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
  public void goOn() {
    worker.ifPresent(PullingWorker::goOn);
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
