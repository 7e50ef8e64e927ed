package dev.braid.worker;

import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.server.Consistency;
import dev.braid.exchange.server.ServerOptions;
import java.util.ArrayList;
import java.util.List;

/** An exchange with what tests of trainers vary of it. */
record Way(ExchangeType exchange, ServerOptions servers) {

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

  /** Every asynchronous exchange. */
  static List<Way> asynchronous() {
    return all().stream().filter(way -> !way.isSynchronous()).toList();
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
