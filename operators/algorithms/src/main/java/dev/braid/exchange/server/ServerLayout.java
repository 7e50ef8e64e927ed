package dev.braid.exchange.server;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Roles;
import dev.braid.vector.Range;

/**
 * Layout of parameter servers: the first ranks compute, and the model is split into one range per
 * server. The servers are the ranks after the workers, or the workers themselves.
 *
 * @param workers number of ranks that compute
 * @param servers number of servers
 * @param colocated whether the servers are the workers
 * @param length number of elements of the model
 * @param chunkLength maximum number of elements of a message
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

  /** Returns the rank of a server, 0 ≤ server &lt; servers. */
  int rankOf(int server) {
    return colocated ? server : workers + server;
  }

  /** Returns the index of the server at a rank, which must be a server. */
  int serverAt(int rank) {
    return colocated ? rank : rank - workers;
  }

  /** Returns the range of a server; may be empty if there are more servers than elements. */
  Range range(int server) {
    return Range.ofLength(length).part(server, servers);
  }

  /** Returns the number of messages for a server's range, at least 1 even if the range is empty. */
  int chunks(int server) {
    return Math.max(1, range(server).chunks(chunkLength));
  }

  /** Returns a chunk of a server's range. */
  Range chunk(int server, int index) {
    Range range = range(server);
    return range.isEmpty() ? range : range.chunk(index, chunkLength);
  }
}
