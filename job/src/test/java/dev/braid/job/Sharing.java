package dev.braid.job;

import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.coded.CodedOptions;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.server.Consistency;
import dev.braid.exchange.server.ServerOptions;
import java.util.List;
import java.util.stream.Stream;

/** An exchange with what tests of whole jobs vary of it. */
record Sharing(ExchangeType type, ServerOptions serverOptions, Compression compression) {

  static Sharing of(ExchangeType type) {
    return new Sharing(type, ServerOptions.DEFAULT, Compression.NONE);
  }

  /** The same with compressed gradients. */
  Sharing compressing(String codec) {
    return new Sharing(type, serverOptions, Compression.of(codec));
  }

  static Sharing servers(int dedicated, Consistency consistency) {
    return new Sharing(
        ExchangeType.PS, new ServerOptions(dedicated, consistency), Compression.NONE);
  }

  /** Every exchange, parameter servers in some of their ways. */
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
   * Exchanges of every kind that Flink treats differently: with a view, with replicas that differ,
   * with combined batches, asynchronous, and with dedicated servers. Thorough builds ({@code
   * -Dbraid.test.tries=100}) take all.
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

  /** How many ranks serve and compute nothing. */
  int servers() {
    return serverOptions.dedicated();
  }

  ExchangeOptions options(int workers) {
    ExchangeOptions options =
        ExchangeOptions.defaults(workers).with(serverOptions).with(Compression.OPTION, compression);
    // Neither bits nor the samples that are used are to depend on who is late.
    boolean mayDepend = type.isSynchronous(options) && !type.descriptor().isRepeatable(options);
    return mayDepend ? options.with(CodedOptions.STRAGGLERS, 0) : options;
  }

  boolean isSynchronous() {
    return type.isSynchronous(options(1));
  }

  /** The same with another number of dedicated servers. */
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
