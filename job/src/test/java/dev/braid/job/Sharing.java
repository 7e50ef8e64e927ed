package dev.braid.job;

import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.coded.CodedOptions;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.server.Consistency;
import dev.braid.exchange.server.ServerOptions;
import java.util.List;
import java.util.stream.Stream;

/** An exchange with the options that tests of whole jobs vary. */
record Sharing(ExchangeType type, ServerOptions serverOptions, Compression compression) {

  static Sharing of(ExchangeType type) {
    return new Sharing(type, ServerOptions.DEFAULT, Compression.NONE);
  }

  /** Returns this exchange with compressed gradients. */
  Sharing compressing(String codec) {
    return new Sharing(type, serverOptions, Compression.of(codec));
  }

  static Sharing servers(int dedicated, Consistency consistency) {
    return new Sharing(
        ExchangeType.PS, new ServerOptions(dedicated, consistency), Compression.NONE);
  }

  /** Returns every exchange, with several configurations of parameter servers. */
  static Stream<Sharing> all() {
    return Stream.concat(
        ExchangeType.all().stream().map(Sharing::of),
        Stream.of(
            servers(2, Consistency.SYNC),
            servers(0, Consistency.ASYNC),
            servers(1, Consistency.ASYNC),
            servers(2, Consistency.SSP)));
  }

  /**
   * Returns one exchange of every kind that Flink treats differently: with a view, with different
   * replicas, with combined batches, asynchronous, and with dedicated servers. Thorough builds
   * ({@code -Dbraid.test.tries=100}) test all exchanges.
   */
  static Stream<Sharing> representatives() {
    return isThorough()
        ? all()
        : Stream.of(
            of(ExchangeType.FT_TREE),
            of(ExchangeType.AVERAGING),
            of(ExchangeType.CODED),
            of(ExchangeType.SHARING),
            servers(1, Consistency.ASYNC));
  }

  /** Returns only the first of these, unless the build is thorough. */
  static <T> Stream<T> firstOf(List<T> all) {
    return all.stream().limit(isThorough() ? all.size() : 1);
  }

  private static boolean isThorough() {
    return Integer.getInteger("braid.test.tries", 100) >= 100;
  }

  /** Returns the number of ranks that serve and compute no gradients. */
  int servers() {
    return serverOptions.dedicated();
  }

  ExchangeOptions options(int workers) {
    ExchangeOptions options =
        ExchangeOptions.defaults(workers).with(serverOptions).with(Compression.OPTION, compression);
    // Neither bits nor used samples may depend on which worker is late.
    boolean mayDepend = type.isSynchronous(options) && !type.descriptor().isRepeatable(options);
    return mayDepend ? options.with(CodedOptions.STRAGGLERS, 0) : options;
  }

  boolean isSynchronous() {
    return type.isSynchronous(options(1));
  }

  /** Returns this exchange with another number of dedicated servers. */
  Sharing withServers(int dedicated) {
    return servers(dedicated, serverOptions.consistency());
  }

  @Override
  public String toString() {
    return type == ExchangeType.PS
        ? "ps:" + serverOptions.consistency().title() + ":" + servers()
        : type.title();
  }
}
