package dev.braid.worker;

import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.ExchangeOptions.Consistency;
import dev.braid.exchange.ExchangeOptions.ServerOptions;
import dev.braid.exchange.ExchangeType;
import java.util.ArrayList;
import java.util.List;

/** An exchange with what tests of trainers vary of it. */
record Way(ExchangeType exchange, ServerOptions servers) {

  /** Every exchange, and parameter servers in all their ways. */
  static List<Way> all() {
    List<Way> ways = new ArrayList<>();
    for (ExchangeType type : ExchangeType.values()) {
      ways.add(new Way(type, ServerOptions.DEFAULT));
    }
    for (Consistency consistency : Consistency.values()) {
      for (int servers = 0; servers < 4; servers++) {
        ways.add(new Way(ExchangeType.PS, new ServerOptions(servers, consistency)));
      }
    }
    return ways;
  }

  boolean isSynchronous() {
    return exchange.isSynchronous(ExchangeOptions.defaults(1).withServers(servers));
  }

  int dedicated() {
    return servers.dedicated();
  }
}
