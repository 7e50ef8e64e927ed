package dev.braid.exchange.compression;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeDescriptor;
import dev.braid.exchange.ExchangeDescriptor.Sends;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Figure;
import dev.braid.exchange.FigureValues;
import dev.braid.exchange.Measured;
import dev.braid.exchange.Port;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.state.LastingState;
import dev.braid.exchange.state.StateKind;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;

/** Compression of one rank's gradients and messages, outside the exchange that sends them. */
public final class GradientCompression {

  private final ExchangeConfig config;
  private final GradientCompressor compressor;
  private final PackingPort port;

  private GradientCompression(
      Compression compression,
      GradientCompressor.Use use,
      Packing packing,
      ExchangeConfig config,
      Port port) {
    this.config = packing.isSparse() ? config.withLongerChunks() : config;
    this.compressor = new GradientCompressor(compression, this.config, use);
    this.port = new PackingPort(port, packing, this.config.chunkLength());
  }

  /**
   * Returns the chosen compression of an exchange; empty if there is none, or if the exchange
   * compresses its messages itself.
   *
   * @param port port that sends the compressed messages
   */
  public static Optional<GradientCompression> of(
      ExchangeDescriptor descriptor, ExchangeConfig config, Port port) {
    Compression compression = descriptor.compression(config.options());
    if (compression instanceof Compression.None || descriptor.sends() == Sends.MOVES) {
      return Optional.empty();
    }
    return Optional.of(
        new GradientCompression(
            compression,
            use(descriptor, config.options(), compression),
            Packing.of(descriptor, config.options(), compression),
            config,
            port));
  }

  private static GradientCompressor.Use use(
      ExchangeDescriptor descriptor, ExchangeOptions options, Compression compression) {
    return new GradientCompressor.Use(
        descriptor.sends() == Sends.MODELS
            ? GradientCompressor.Kind.PLAIN
            : GradientCompressor.kind(compression),
        // A synchronous exchange that handles faulty links itself may leave ranks out. What it did
        // without the other ranks is then set back.
        descriptor.bearsFaultyLinks(options) && descriptor.isSynchronous(options),
        descriptor.steps(options) != ExchangeDescriptor.Steps.OF_EACH_GRADIENT);
  }

  /**
   * Returns the compression of a synchronous exchange that adds up along one way.
   *
   * @param bearsFaultyLinks whether the exchange handles faulty links itself; it may then leave
   *     ranks out, and add up at other ranks
   */
  public static GradientCompression ofSums(
      Compression compression, boolean bearsFaultyLinks, ExchangeConfig config, Port port) {
    return new GradientCompression(
        compression,
        new GradientCompressor.Use(GradientCompressor.kind(compression), bearsFaultyLinks, true),
        Packing.ofSums(compression, !bearsFaultyLinks),
        config,
        port);
  }

  /** Returns the kinds of states that compression adds to the exchange's own states. */
  public static List<StateKind> states(ExchangeDescriptor descriptor, ExchangeOptions options) {
    return descriptor.sends() == Sends.GRADIENTS
        ? GradientCompressor.states(descriptor.compression(options))
        : List.of();
  }

  /** Returns the kinds of states of {@link #ofSums}. */
  public static List<StateKind> statesOfSums(Compression compression) {
    return GradientCompressor.states(compression);
  }

  /** Returns the configuration of the exchange, whose messages may be longer. */
  public ExchangeConfig config() {
    return config;
  }

  /** Returns the port of the exchange, which packs its messages. */
  public Port port() {
    return port;
  }

  /** Sets the exchange, which may have a transport that measures links. */
  public void isOf(Measured exchange) {
    port.isOf(exchange);
  }

  /** Returns what is contributed of a gradient. */
  public Contribution compressed(Contribution local) {
    return compressor.compress(local);
  }

  /** Returns a message for this rank with its values unpacked. */
  public Message unpacked(Message message) {
    // A message that is passed on stays packed.
    return message.destination() == config.rank() ? port.unpacked(message) : message;
  }

  /**
   * Notes that this many rounds are complete.
   *
   * @param counts whether the sum of a round that has just been completed contains this rank's
   *     contribution
   */
  public void completed(long rounds, LongPredicate counts) {
    compressor.completed(rounds, counts);
  }

  /**
   * Notes that this rank continues without the others, or with a copy of a replica.
   *
   * @param rounds number of rounds that are complete for this rank
   */
  public void leftOut(long rounds) {
    compressor.leftOut(rounds);
  }

  /** Returns the states of this rank; none at a rank that only serves. */
  public List<LastingState> states() {
    return config.roles().computes(config.rank()) ? compressor.states() : List.of();
  }

  /** Adds the figures of compression. */
  public void addFigures(FigureValues to) {
    compressor.addFigures(to);
    port.addFigures(to);
    int rounded = port.roundedElements() == config.length() ? 1 : 0;
    to.add(Figure.KEPT_VECTORS, compressor.vectors() + rounded);
  }
}
