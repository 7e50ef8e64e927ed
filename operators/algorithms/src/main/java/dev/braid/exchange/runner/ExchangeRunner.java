package dev.braid.exchange.runner;

import dev.braid.exchange.Asynchronous;
import dev.braid.exchange.Contribution;
import dev.braid.exchange.Exchange;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeDescriptor;
import dev.braid.exchange.FigureValues;
import dev.braid.exchange.ForwardingPort;
import dev.braid.exchange.Measured;
import dev.braid.exchange.Port;
import dev.braid.exchange.Serving;
import dev.braid.exchange.Staleness;
import dev.braid.exchange.Stateful;
import dev.braid.exchange.Synchronous;
import dev.braid.exchange.Update;
import dev.braid.exchange.compression.GradientCompression;
import dev.braid.exchange.membership.RollCall;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Route;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.participation.Elastic;
import dev.braid.exchange.participation.Planning;
import dev.braid.exchange.participation.View;
import dev.braid.exchange.participation.ViewMessage.ToRank;
import dev.braid.exchange.state.LastingState;
import dev.braid.exchange.state.StateKind;
import dev.braid.exchange.transport.Deadlines;
import dev.braid.exchange.transport.Deadlines.Deadline;
import dev.braid.exchange.transport.InOrder;
import dev.braid.exchange.transport.SharedValues;
import dev.braid.exchange.transport.Transport;
import dev.braid.exchange.transport.Window;
import dev.braid.vector.Range;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * One rank's part of an exchange, as its host (a worker or the simulator) uses it. The runner owns
 * what the algorithm does not know of: deadlines, the transport, the roll call and compression.
 * {@link Synchronous} and {@link Asynchronous} define what each call asks of the algorithm.
 *
 * <pre>
 *   host ──contribute──────────────────────────▶ compress ──▶ exchange
 *   host ──receive──▶ transport ──▶ (in order) ──▶ unpack ──▶ exchange
 *   host ◀───send──── transport ◀──────────────── pack ◀───── exchange
 * </pre>
 *
 * <p>The transport repeats lost messages. It holds messages to one rank beyond a window's bytes, so
 * a link that accepts nothing never blocks the caller. If a link that synchronous rounds need is
 * cut and no other route exists, rounds wait, and complete with the right sum when the link is
 * back. An asynchronous exchange receives each rank's messages in the order in which they were
 * sent: its guarantees require this order at each moment, not only in the end. Its outbox limits
 * what it has in flight, so the transport holds at most the copies of that many messages to each
 * rank. If it uses roll calls, it is notified of absent ranks ({@link RollCall}).
 *
 * <p>An exchange that handles faulty links itself has its own transport and membership; its
 * messages are packed below them.
 */
public final class ExchangeRunner implements Measured {

  /** Neighbours of a transport that waits for each link instead of using other routes. */
  private static final int[] NO_OTHER_WAYS = {};

  /**
   * Properties of the transport that an exchange needs.
   *
   * @param waysAround ranks over which messages may go around a link
   * @param window limit on what may be outstanding to one rank
   * @param areInOrder whether messages are delivered in the order in which they were sent
   */
  private record Links(int[] waysAround, Window window, boolean areInOrder) {

    static Optional<Links> of(ExchangeDescriptor descriptor, ExchangeConfig config) {
      if (descriptor.bearsFaultyLinks(config.options()) || config.ranks() == 1) {
        return Optional.empty();
      }
      return Optional.of(
          descriptor.isSynchronous(config.options())
              ? new Links(descriptor.waysAround(config), Window.ofStream(config), false)
              : new Links(NO_OTHER_WAYS, Window.ofOutbox(config), true));
    }
  }

  private final int rank;

  /** Port of the host. */
  private final Port host;

  private final Deadlines deadlines;
  private final Deadline exchangeDeadline;
  private final Optional<Transport> transport;
  private final Optional<GradientCompression> compression;
  private final Exchange exchange;
  private final Optional<Synchronous> synchronous;
  private final Optional<Asynchronous> asynchronous;
  private final Optional<Elastic> elastic;
  private final Optional<RollCall> rollCall;
  private final Measured measured;

  /**
   * Creates an exchange and what is between it and its host. What is created first is closest to
   * the host.
   *
   * @param links properties of the transport; empty without one
   * @param compressing creates the compression of messages that are sent through a port, if any
   */
  private ExchangeRunner(
      ExchangeConfig config,
      Port host,
      Optional<Links> links,
      Function<Port, Optional<GradientCompression>> compressing,
      BiFunction<ExchangeConfig, Port, ? extends Exchange> algorithm) {
    this.rank = config.rank();
    this.host = host;
    this.deadlines = new Deadlines(host);
    this.exchangeDeadline = deadlines.of(this::exchangeIsDue);
    this.transport = links.map(its -> transport(config, its));
    Port onLinks = transport.isPresent() ? new LinksPort(transport.get()) : host;
    this.compression = compressing.apply(onLinks);
    this.exchange =
        compression.isPresent()
            ? algorithm.apply(compression.get().config(), compression.get().port())
            : algorithm.apply(config, onLinks);
    this.synchronous = as(Synchronous.class);
    this.asynchronous = as(Asynchronous.class);
    this.elastic = exchange.participation().elastic();
    this.rollCall =
        exchange
            .participation()
            .attendance()
            .flatMap(
                them -> transport.map(over -> new RollCall(config, host, deadlines, over, them)));
    this.measured = as(Measured.class).orElse(Measured.NOTHING);
    compression.ifPresent(it -> it.isOf(measured));
  }

  /**
   * Creates one rank's part of an exchange. Unless the exchange handles faulty links itself, it is
   * placed on a transport. Its gradients are compressed if compression is chosen.
   *
   * @throws IllegalStateException if the descriptor and the exchange's class contradict each other
   *     in whether it is synchronous
   */
  public static ExchangeRunner of(ExchangeDescriptor descriptor, ExchangeConfig config, Port host) {
    ExchangeRunner runner =
        new ExchangeRunner(
            config,
            host,
            Links.of(descriptor, config),
            port -> GradientCompression.of(descriptor, config, port),
            descriptor::create);
    boolean isSynchronous = descriptor.isSynchronous(config.options());
    if (runner.isSynchronous() != isSynchronous) {
      throw new IllegalStateException(
          "%s: described as %s, but is not an instance of %s"
              .formatted(
                  runner.exchange.getClass().getName(),
                  isSynchronous ? "synchronous" : "asynchronous",
                  (isSynchronous ? Synchronous.class : Asynchronous.class).getName()));
    }
    return runner;
  }

  /**
   * Creates one rank's part of a synchronous exchange that adds up along one way. It is used within
   * an exchange that knows what is added up.
   *
   * @param bearsFaultyLinks whether the algorithm handles faulty links itself
   */
  public static ExchangeRunner ofSums(
      BiFunction<ExchangeConfig, Port, Synchronous> algorithm,
      boolean bearsFaultyLinks,
      Compression compression,
      ExchangeConfig config,
      Port host) {
    return new ExchangeRunner(
        config,
        host,
        Optional.empty(),
        port ->
            compression.equals(Compression.NONE)
                ? Optional.empty()
                : Optional.of(
                    GradientCompression.ofSums(compression, bearsFaultyLinks, config, port)),
        algorithm);
  }

  /** Returns a factory of an algorithm without transport and without compression. */
  public static ExchangeFactory bare(
      BiFunction<ExchangeConfig, Port, ? extends Exchange> algorithm) {
    return (config, host) ->
        new ExchangeRunner(config, host, Optional.empty(), port -> Optional.empty(), algorithm);
  }

  private Transport transport(ExchangeConfig config, Links links) {
    return new Transport(
        config,
        host,
        deadlines,
        links.waysAround(),
        Route::size,
        links.window(),
        SharedValues.NONE,
        new TransportClient(links.areInOrder()));
  }

  private <T> Optional<T> as(Class<T> ability) {
    return ability.isInstance(exchange) ? Optional.of(ability.cast(exchange)) : Optional.empty();
  }

  // ---- messages --------------------------------------------------------------------------------

  /**
   * Receives a message. The transport handles its own messages and those for other ranks, and
   * delivers each other message once. Its values are then unpacked for the exchange.
   */
  public void receive(Message message) {
    if (transport.isPresent()) {
      transport.get().receive(message);
    } else {
      deliver(message);
    }
    if (rollCall.isPresent()) {
      settle();
    }
  }

  private final class TransportClient implements Transport.Client {
    private final Optional<InOrder> inOrder;

    TransportClient(boolean areInOrder) {
      this.inOrder =
          areInOrder ? Optional.of(new InOrder(ExchangeRunner.this::deliver)) : Optional.empty();
    }

    @Override
    public void deliver(Message message) {
      if (inOrder.isPresent()) {
        inOrder.get().accept(message);
      } else {
        ExchangeRunner.this.deliver(message);
      }
    }

    @Override
    public void arrived(Message message) {
      if (asynchronous.isPresent()) {
        asynchronous.get().arrived(message);
      }
    }

    @Override
    public void silent(int other) {
      rollCall.ifPresent(it -> it.silent(other));
    }
  }

  private void deliver(Message message) {
    exchange.receive(compression.isPresent() ? compression.get().unpacked(message) : message);
    noteCompletedRounds();
  }

  /** The port of an exchange on the transport. */
  private final class LinksPort extends ForwardingPort {
    private final Transport sender;

    LinksPort(Transport sender) {
      super(host);
      this.sender = sender;
    }

    @Override
    public void send(Message message) {
      sender.send(message);
    }

    @Override
    public void handOver(Message message) {
      sender.handOver(message);
    }

    @Override
    public OptionalDouble bytesPerSecond() {
      return sender.bytesPerSecond();
    }

    @Override
    public void wakeAt(long nanos) {
      exchangeDeadline.at(nanos);
    }
  }

  // ---- deadlines -------------------------------------------------------------------------------

  /** Handles a deadline that the exchange or its transport has requested from the host. */
  public void deadline() {
    if (transport.isPresent()) {
      deadlines.deadline();
    } else {
      exchangeIsDue();
    }
    settle();
  }

  private void exchangeIsDue() {
    exchange.deadline();
    noteCompletedRounds();
  }

  /** Updates the roll call and the deadlines after a call from the host. */
  private void settle() {
    rollCall.ifPresent(RollCall::update);
    transport.ifPresent(Transport::arm);
  }

  // ---- rounds ----------------------------------------------------------------------------------

  /** Returns whether the rank may start computing the gradient of its next round. */
  public boolean mayCompute() {
    return exchange.mayCompute();
  }

  /**
   * Takes the rank's own gradient.
   *
   * @throws IllegalStateException if the exchange {@linkplain Exchange#contribute refuses it}
   */
  public void contribute(Contribution local) {
    // This has an effect only if the host has not called resume() since a rollback.
    transport.ifPresent(Transport::resume);
    exchange.contribute(compression.isPresent() ? compression.get().compressed(local) : local);
    noteCompletedRounds();
    settle();
  }

  /** Updates the residual after a call that may have completed rounds. */
  private void noteCompletedRounds() {
    if (compression.isPresent()) {
      compression.get().completed(exchange.completedRounds(), this::countsOwnGradient);
    }
  }

  /** Returns the number of complete rounds. */
  public long completedRounds() {
    return exchange.completedRounds();
  }

  /** Signals that this rank has no more contributions. Idempotent. */
  public void end() {
    exchange.end();
    noteCompletedRounds();
    settle();
  }

  /** Returns whether all that this rank has sent has arrived, and nothing is left to send. */
  public boolean isQuiet() {
    return exchange.isQuiet();
  }

  /** Begins a run, or resumes after a checkpoint. */
  public void resume() {
    transport.ifPresent(Transport::resume);
    exchange.resume();
    noteCompletedRounds();
    settle();
  }

  // ---- synchronous exchanges -------------------------------------------------------------------

  /** Returns whether ranks wait for each other. */
  public boolean isSynchronous() {
    return synchronous.isPresent();
  }

  /** Returns whether all ranks have the same model at a checkpoint. */
  public boolean replicasAgree() {
    return synchronous.map(Synchronous::replicasAgree).orElse(false);
  }

  /** Returns whether each round of a synchronous exchange waits for all ranks' gradients. */
  public boolean waitsForAll() {
    return synchronous.map(Synchronous::waitsForAll).orElse(true);
  }

  /** Returns whether a round without this rank's gradient has nevertheless used its samples. */
  public boolean usesAllSamples() {
    return synchronous.map(Synchronous::usesAllSamples).orElse(false);
  }

  /** Returns whether a round that has just been completed contains this rank's gradient. */
  public boolean countsOwnGradient(long round) {
    return synchronous.map(it -> it.countsOwnGradient(round)).orElse(true);
  }

  /** Reports that the rank has entered a round of a synchronous exchange. */
  public void enter(long round, boolean isLastOfEpoch) {
    synchronous.orElseThrow().enter(round, isLastOfEpoch);
    noteCompletedRounds();
    settle();
  }

  /** Returns the number of complete joint steps of a synchronous exchange. */
  public long jointRounds() {
    return synchronous.orElseThrow().jointRounds();
  }

  /** Returns whether a synchronous exchange has nothing left to do for these joint rounds. */
  public boolean isThrough(long rounds) {
    return synchronous.orElseThrow().isThrough(rounds);
  }

  /** Reports that nothing may be contributed to a synchronous exchange until it resumes. */
  public void freeze() {
    synchronous.ifPresent(Synchronous::freeze);
  }

  /** Discards all incomplete rounds of a synchronous exchange. Messages sent before are void. */
  public void rollBack() {
    exchangeDeadline.at(Deadlines.NEVER);
    synchronous.orElseThrow().rollBack();
    transport.ifPresent(Transport::rollBack);
    // The host still has a request for a deadline from before the rollback.
    deadlines.askAgain();
  }

  /**
   * Returns whether the rank receives messages while it is held for a checkpoint; always true on a
   * transport, which still acknowledges and sends again.
   */
  public boolean servesWhileHeld() {
    return transport.isPresent() || synchronous.map(Synchronous::servesWhileHeld).orElse(true);
  }

  // ---- asynchronous exchanges ------------------------------------------------------------------

  /** Sends everything that an asynchronous exchange holds back. */
  public void flush() {
    asynchronous.orElseThrow().flush();
    settle();
  }

  /** Returns the ranks that prevent an asynchronous exchange from becoming quiet. */
  public List<Integer> unreachable() {
    boolean isCutOff = rollCall.isPresent() && rollCall.get().isCutOff();
    return isCutOff && !isQuiet() ? List.of(rank) : asynchronous.orElseThrow().unreachable();
  }

  /** Reports that all ranks of an asynchronous exchange were held, and that this one resumes. */
  public void emptied() {
    asynchronous.orElseThrow().emptied();
  }

  /** Reports whether this rank waits for other ranks for a reason outside the exchange. */
  public void awaitOthers(boolean waits) {
    rollCall.ifPresent(it -> it.awaitOthers(waits));
    asynchronous.ifPresent(it -> it.awaitOthers(waits));
    settle();
  }

  /** Returns the optimiser steps that an asynchronous exchange holds back. */
  public List<Update.GradientSum> deferredSteps() {
    return asynchronous.map(Asynchronous::deferredSteps).orElse(List.of());
  }

  // ---- views -----------------------------------------------------------------------------------

  /** Returns the latest view; empty if the exchange does not use views. */
  public Optional<View> view() {
    return elastic.map(Elastic::view);
  }

  /** Returns whether the rank has the model of the view; always true without views. */
  public boolean isCurrent() {
    return elastic.map(Elastic::isCurrent).orElse(true);
  }

  /** Processes a message from the arbiter, which may complete rounds, or set one back. */
  public void handle(ToRank message) {
    elastic.orElseThrow().handle(message);
    if (isCurrent()) {
      noteCompletedRounds();
    } else {
      compression.ifPresent(it -> it.leftOut(exchange.completedRounds()));
    }
  }

  // ---- abilities -------------------------------------------------------------------------------

  /** Returns the range that this rank serves, which may be empty; none without servers. */
  public Optional<Range> served() {
    return as(Serving.class).map(Serving::served);
  }

  /** Returns the choice of which rank computes which samples, if the exchange makes it. */
  public Optional<Planning> planning() {
    return as(Planning.class);
  }

  @Override
  public Staleness staleness() {
    return measured.staleness();
  }

  @Override
  public void addFigures(FigureValues to) {
    measured.addFigures(to);
    compression.ifPresent(it -> it.addFigures(to));
  }

  @Override
  public OptionalDouble bytesPerSecond() {
    return measured.bytesPerSecond();
  }

  @Override
  public List<Integer> absentRanks() {
    return measured.absentRanks();
  }

  @Override
  public List<Awaited> awaitedRanks() {
    return measured.awaitedRanks();
  }

  // ---- states ----------------------------------------------------------------------------------

  /** Returns the states of this rank, those of the exchange first. */
  public List<LastingState> states() {
    List<LastingState> states = new ArrayList<>();
    as(Stateful.class).ifPresent(it -> states.addAll(it.states()));
    compression.ifPresent(it -> states.addAll(it.states()));
    return states;
  }

  /** Returns the kinds of the states. */
  public List<StateKind> stateKinds() {
    return states().stream().map(LastingState::kind).toList();
  }

  /** Returns the serialised states by name; empty if there are none. */
  public SortedMap<String, byte[]> writeStates() throws IOException {
    SortedMap<String, byte[]> written = new TreeMap<>();
    for (LastingState state : states()) {
      if (written.put(state.kind().name(), state.toBytes()) != null) {
        throw new IllegalStateException("two states have the name " + state.kind().name());
      }
    }
    return written;
  }

  /** Restores states written by {@link #writeStates}; missing states keep their initial value. */
  public void readStates(Map<String, byte[]> written) throws IOException {
    for (LastingState state : states()) {
      byte[] bytes = written.get(state.kind().name());
      if (bytes != null) {
        state.fromBytes(bytes);
      }
    }
  }
}
