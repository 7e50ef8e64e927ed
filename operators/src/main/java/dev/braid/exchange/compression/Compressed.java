package dev.braid.exchange.compression;

import dev.braid.exchange.Asynchronous;
import dev.braid.exchange.BandwidthUse;
import dev.braid.exchange.CompressionUse;
import dev.braid.exchange.Contribution;
import dev.braid.exchange.DecodingUse;
import dev.braid.exchange.Exchange;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeDescriptor;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Measured;
import dev.braid.exchange.Port;
import dev.braid.exchange.RelayUse;
import dev.braid.exchange.Staleness;
import dev.braid.exchange.Stateful;
import dev.braid.exchange.Synchronous;
import dev.braid.exchange.Wrapping;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.participation.Participation;
import dev.braid.exchange.state.LastingState;
import dev.braid.exchange.state.StateKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** An exchange whose gradients are compressed: what all kinds of exchanges have of that. */
public abstract sealed class Compressed<E extends Exchange> implements Wrapping, Stateful, Measured
    permits CompressedSynchronous, CompressedAsynchronous {

  private final E exchange;
  private final GradientCompressor compressor;
  private final PackingPort port;
  private final boolean computes;
  private final int length;
  private final Measured measured;

  /** What an exchange is made of. */
  record Parts(ExchangeConfig config, GradientCompressor compressor, PackingPort port) {}

  Compressed(Parts parts, E exchange) {
    this.exchange = exchange;
    this.compressor = parts.compressor;
    this.port = parts.port;
    this.length = parts.config.length();
    this.computes = parts.config.roles().computes(parts.config.rank());
    this.measured = Wrapping.find(exchange, Measured.class).orElse(Measured.NOTHING);
  }

  /** What is chosen of an exchange; nothing, of one that cannot compress. */
  public static Compression chosen(ExchangeDescriptor descriptor, ExchangeOptions options) {
    return descriptor.compression(options);
  }

  /** What lasts of it besides the exchange's own states. */
  public static List<StateKind> states(ExchangeDescriptor descriptor, ExchangeOptions options) {
    return GradientCompressor.states(chosen(descriptor, options));
  }

  /** One rank's part of an exchange, compressed if that is chosen. */
  public static Exchange create(ExchangeDescriptor descriptor, ExchangeConfig config, Port port) {
    Compression compression = chosen(descriptor, config.options());
    if (compression instanceof Compression.None) {
      return descriptor.create(config, port);
    }
    boolean halves = compression instanceof Compression.HalfBits;
    boolean weightsComeBack = weightsComeBack(descriptor, config.options());
    ExchangeConfig inner = halves || weightsComeBack ? config : config.withLongerChunks();
    Parts parts =
        new Parts(
            inner,
            new GradientCompressor(compression, inner),
            new PackingPort(port, halves, weightsComeBack, inner.chunkLength()));
    Exchange exchange = descriptor.create(inner, parts.port);
    return exchange instanceof Synchronous synchronous
        ? new CompressedSynchronous(parts, synchronous)
        : new CompressedAsynchronous(parts, (Asynchronous) exchange);
  }

  /** Whether who has a sum takes the step, and sends weights, which are not sparse. */
  private static boolean weightsComeBack(ExchangeDescriptor descriptor, ExchangeOptions options) {
    return descriptor.hasServers()
        || descriptor.steps(options) == ExchangeDescriptor.Steps.OF_THE_SUM_IN_PARTS;
  }

  @Override
  public final E wrapped() {
    return exchange;
  }

  private void afterEachCall() {
    compressor.completed(exchange.completedRounds());
  }

  // ---- what all exchanges do -------------------------------------------------------------------

  public final boolean mayCompute() {
    return exchange.mayCompute();
  }

  public final void contribute(Contribution local) {
    exchange.contribute(compressor.compress(local));
    afterEachCall();
  }

  public final void receive(Message message) {
    exchange.receive(port.unpacked(message));
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
    return exchange.participation();
  }

  public final void end() {
    exchange.end();
    afterEachCall();
  }

  public final boolean isQuiet() {
    return exchange.isQuiet();
  }

  public final void goOn() {
    exchange.goOn();
    afterEachCall();
  }

  // ---- what lasts, and what it tells of itself -------------------------------------------------

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
  public final Optional<BandwidthUse> bandwidthUse() {
    return measured.bandwidthUse();
  }

  @Override
  public final Optional<DecodingUse> decodingUse() {
    return measured.decodingUse();
  }

  @Override
  public final Optional<RelayUse> relayUse() {
    return measured.relayUse();
  }

  @Override
  public final int keptVectors() {
    return measured.keptVectors()
        + compressor.vectors()
        + (port.roundedElements() == length ? 1 : 0);
  }

  @Override
  public final List<Integer> absentRanks() {
    return measured.absentRanks();
  }

  @Override
  public final Optional<CompressionUse> compressionUse() {
    return Optional.of(compressor.use().plus(port.use()));
  }
}
