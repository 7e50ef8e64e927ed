package dev.braid.worker;

import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.server.Consistency;
import dev.braid.exchange.server.ServerOptions;
import java.util.ArrayList;
import java.util.List;

/**
 * An exchange with what tests of trainers vary of it.
 *
 * @param faultyLinks whether links lose what is sent to a rank that is cut off
 */
record Way(ExchangeType exchange, ServerOptions servers, boolean faultyLinks) {

  /** On links that lose nothing. */
  Way(ExchangeType exchange, ServerOptions servers) {
    this(exchange, servers, false);
  }

  /** Every exchange, and parameter servers in all their ways. */
  static List<Way> all() {
    List<Way> ways = new ArrayList<>();
    for (ExchangeType type : ExchangeType.all()) {
      ways.add(new Way(type, ServerOptions.DEFAULT));
    }
    for (Consistency consistency : Consistency.values()) {
      for (int servers = 0; servers < 4; servers++) {
        ways.add(new Way(ExchangeType.PS, new ServerOptions(servers, consistency)));
      }
    }
    return ways;
  }

  /** Every asynchronous exchange, on links that lose what is sent to a rank that is cut off. */
  static List<Way> asynchronousOnFaultyLinks() {
    return all().stream()
        .filter(way -> !way.isSynchronous())
        .map(way -> new Way(way.exchange, way.servers, true))
        .toList();
  }

  ExchangeOptions options(int ranks) {
    return ExchangeOptions.defaults(ranks).with(ExchangeOptions.STALENESS, 2).with(servers);
  }

  boolean isSynchronous() {
    return exchange.isSynchronous(options(1));
  }

  int dedicated() {
    return servers.dedicated();
  }
}
