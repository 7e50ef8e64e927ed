package dev.braid.exchange.server;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Roles;
import dev.braid.vector.Range;

/**
 * Who does what where there are parameter servers: the first ranks compute; the model is cut into
 * as many ranges as there are servers, and these are the ranks behind the workers, or the workers
 * themselves.
 *
 * @param workers how many ranks compute
 * @param servers how many serve
 * @param colocated whether the servers are the workers
 * @param length elements of the model
 * @param chunkLength elements of a message at most
 */
record ServerLayout(int workers, int servers, boolean colocated, int length, int chunkLength) {

  static ServerLayout of(ExchangeConfig config) {
    Roles roles = config.roles();
    boolean colocated = roles.dedicated() == 0;
    return new ServerLayout(
        roles.workers(),
        colocated ? roles.workers() : roles.dedicated(),
        colocated,
        config.length(),
        config.chunkLength());
  }

  boolean isWorker(int rank) {
    return rank < workers;
  }

  boolean isServer(int rank) {
    return colocated || rank >= workers;
  }

  /** The rank of a server. */
  int rankOf(int server) {
    return colocated ? server : workers + server;
  }

  /** Which server a rank is. */
  int serverAt(int rank) {
    return colocated ? rank : rank - workers;
  }

  /** What a server serves: nothing, where there are more servers than elements. */
  Range range(int server) {
    return Range.ofLength(length).part(server, servers);
  }

  /** How many messages a server's range takes: one for a range of nothing, too. */
  int chunks(int server) {
    return Math.max(1, range(server).chunks(chunkLength));
  }

  /** One of them. */
  Range chunk(int server, int index) {
    Range range = range(server);
    return range.isEmpty() ? range : range.chunk(index, chunkLength);
  }
}
