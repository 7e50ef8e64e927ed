package dev.braid.exchange.compression;

import dev.braid.exchange.Asynchronous;
import dev.braid.exchange.Contribution;
import dev.braid.exchange.Exchange;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeDescriptor;
import dev.braid.exchange.ExchangeDescriptor.Sends;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Figure;
import dev.braid.exchange.FigureValues;
import dev.braid.exchange.Measured;
import dev.braid.exchange.Port;
import dev.braid.exchange.Staleness;
import dev.braid.exchange.Stateful;
import dev.braid.exchange.Synchronous;
import dev.braid.exchange.Wrapping;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.participation.Elastic;
import dev.braid.exchange.participation.Participation;
import dev.braid.exchange.participation.Participation.InViews;
import dev.braid.exchange.participation.View;
import dev.braid.exchange.participation.ViewMessage.ToRank;
import dev.braid.exchange.state.LastingState;
import dev.braid.exchange.state.StateKind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/**
 * An exchange whose gradients are compressed: the common part of synchronous and asynchronous
 * exchanges.
 */
public abstract sealed class Compressed<E extends Exchange> implements Wrapping, Stateful, Measured
    permits CompressedSynchronous, CompressedAsynchronous {

  private final E exchange;
  private final GradientCompressor compressor;
  private final PackingPort port;
  private final int rank;
  private final boolean computes;
  private final int length;
  private final Measured measured;
  private final Participation participation;

  /** The configuration, compressor and port of a compressed exchange. */
  record Parts(ExchangeConfig config, GradientCompressor compressor, PackingPort port) {

    static Parts of(
        Compression compression,
        GradientCompressor.Use use,
        Packing packing,
        ExchangeConfig config,
        Port port) {
      ExchangeConfig inner = packing.isSparse() ? config.withLongerChunks() : config;
      return new Parts(
          inner,
          new GradientCompressor(compression, inner, use),
          new PackingPort(port, packing, inner.chunkLength()));
    }
  }

  Compressed(Parts parts, E exchange) {
    this.exchange = exchange;
    this.compressor = parts.compressor;
    this.port = parts.port;
    this.rank = parts.config.rank();
    this.length = parts.config.length();
    this.computes = parts.config.roles().computes(parts.config.rank());
    this.measured = Wrapping.find(exchange, Measured.class).orElse(Measured.NOTHING);
    this.port.isOf(measured);
    this.participation = participation(exchange.participation());
  }

  /** Returns the kinds of states that compression adds to the exchange's own states. */
  public static List<StateKind> states(ExchangeDescriptor descriptor, ExchangeOptions options) {
    return descriptor.sends() == Sends.GRADIENTS
        ? GradientCompressor.states(descriptor.compression(options))
        : List.of();
  }

  /** Returns the kinds of states of {@link #sumsOf} a synchronous exchange. */
  public static List<StateKind> statesOfSums(Compression compression) {
    return GradientCompressor.states(compression);
  }

  /**
   * Creates one rank's part of an exchange. It is compressed if compression is chosen, unless the
   * exchange compresses its messages itself.
   */
  public static Exchange create(ExchangeDescriptor descriptor, ExchangeConfig config, Port port) {
    Compression compression = descriptor.compression(config.options());
    if (compression instanceof Compression.None || descriptor.sends() == Sends.MOVES) {
      return descriptor.create(config, port);
    }
    Parts parts =
        Parts.of(
            compression,
            use(descriptor, config.options(), compression),
            Packing.of(descriptor, config.options(), compression),
            config,
            port);
    Exchange exchange = descriptor.create(parts.config, parts.port);
    return exchange instanceof Synchronous synchronous
        ? new CompressedSynchronous(parts, synchronous)
        : new CompressedAsynchronous(parts, (Asynchronous) exchange);
  }

  private static GradientCompressor.Use use(
      ExchangeDescriptor descriptor, ExchangeOptions options, Compression compression) {
    return new GradientCompressor.Use(
        descriptor.sends() == Sends.MODELS
            ? GradientCompressor.Kind.PLAIN
            : GradientCompressor.kind(compression),
        // A synchronous exchange that handles faulty links itself may leave ranks out. What it did
        // without the other ranks is then set back.
        descriptor.bearsFaultyLinks() && descriptor.isSynchronous(options),
        descriptor.steps(options) != ExchangeDescriptor.Steps.OF_EACH_GRADIENT);
  }

  /**
   * Creates one rank's part of a synchronous exchange that adds up along one way, compressed. It is
   * used within an exchange that knows what is added up.
   */
  public static Synchronous sumsOf(
      BiFunction<ExchangeConfig, Port, Synchronous> exchange,
      Compression compression,
      ExchangeConfig config,
      Port port) {
    Parts parts =
        Parts.of(
            compression,
            new GradientCompressor.Use(GradientCompressor.kind(compression), false, true),
            Packing.ofSums(compression),
            config,
            port);
    return new CompressedSynchronous(parts, exchange.apply(parts.config, parts.port));
  }

  /**
   * Wraps an exchange in views, because a message from the arbiter may complete rounds, or set one
   * back.
   */
  private Participation participation(Participation within) {
    return within
        .elastic()
        .<Participation>map(it -> new InViews(new LeavingOut(it)))
        .orElse(within);
  }

  private final class LeavingOut implements Elastic {
    private final Elastic elastic;

    LeavingOut(Elastic elastic) {
      this.elastic = elastic;
    }

    @Override
    public void handle(ToRank message) {
      elastic.handle(message);
      if (elastic.isCurrent()) {
        afterEachCall();
      } else {
        compressor.leftOut(exchange.completedRounds());
      }
    }

    @Override
    public View view() {
      return elastic.view();
    }

    @Override
    public boolean isCurrent() {
      return elastic.isCurrent();
    }
  }

  @Override
  public final E wrapped() {
    return exchange;
  }

  final void afterEachCall() {
    compressor.completed(exchange.completedRounds(), this::countsOwn);
  }

  /**
   * Returns whether the sum of a round that has just been completed contains this rank's
   * contribution.
   */
  boolean countsOwn(long round) {
    return true;
  }

  // ---- operations of all exchanges --------------------------------------------------------------

  public final boolean mayCompute() {
    return exchange.mayCompute();
  }

  public final void contribute(Contribution local) {
    exchange.contribute(compressor.compress(local));
    afterEachCall();
  }

  public final void receive(Message message) {
    // A message that is passed on stays packed.
    exchange.receive(message.destination() == rank ? port.unpacked(message) : message);
    afterEachCall();
  }

  public final void deadline() {
    exchange.deadline();
    afterEachCall();
  }

  public final long completedRounds() {
    return exchange.completedRounds();
  }

  public final Participation participation() {
    return participation;
  }

  public final void end() {
    exchange.end();
    afterEachCall();
  }

  public final boolean isQuiet() {
    return exchange.isQuiet();
  }

  public final void resume() {
    exchange.resume();
    afterEachCall();
  }

  // ---- states and measurements ------------------------------------------------------------------

  @Override
  public final List<LastingState> states() {
    List<LastingState> states = new ArrayList<>();
    Wrapping.find(exchange, Stateful.class).ifPresent(own -> states.addAll(own.states()));
    if (computes) {
      states.addAll(compressor.states());
    }
    return states;
  }

  @Override
  public final Staleness staleness() {
    return measured.staleness();
  }

  @Override
  public final void addFigures(FigureValues to) {
    measured.addFigures(to);
    compressor.addFigures(to);
    port.addFigures(to);
    int rounded = port.roundedElements() == length ? 1 : 0;
    to.add(Figure.KEPT_VECTORS, compressor.vectors() + rounded);
  }

  @Override
  public final List<Integer> absentRanks() {
    return measured.absentRanks();
  }

  @Override
  public final List<Awaited> awaitedRanks() {
    return measured.awaitedRanks();
  }
}
