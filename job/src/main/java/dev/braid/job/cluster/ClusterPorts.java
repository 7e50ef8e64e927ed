package dev.braid.job.cluster;

import dev.braid.job.console.UsageException;
import dev.braid.job.engine.FlinkSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** Free ports of the loopback address, each given out at most once. */
final class ClusterPorts {

  /**
   * Range of ports to choose from. Linux gives outgoing connections ports from 32768 by default, so
   * that no connection can take a port before its process has started.
   */
  private static final int FIRST_PORT = 20_000;

  private static final int PORTS = 12_000;

  private final Set<Integer> given = new HashSet<>();

  /**
   * Claims the requested port for a web UI.
   *
   * @throws UsageException if another program uses it
   */
  int web(int wanted) {
    if (!claim(wanted)) {
      throw new UsageException(
          "--port " + wanted + ": in use by another program; choose another port");
    }
    return wanted;
  }

  /** Claims the first free port for a web UI, from the range that the embedded Flink uses. */
  int web() {
    for (int port = FlinkSettings.FIRST_WEB_PORT; port <= FlinkSettings.LAST_WEB_PORT; port++) {
      if (claim(port)) {
        return port;
      }
    }
    return any();
  }

  /** Claims any free port. */
  int any() {
    while (true) {
      int port = drawn();
      if (claim(port)) {
        return port;
      }
    }
  }

  /** Draws a port, which may be in use. */
  static int drawn() {
    return FIRST_PORT + ThreadLocalRandom.current().nextInt(PORTS);
  }

  private boolean claim(int port) {
    try {
      new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
      return given.add(port);
    } catch (IOException e) {
      return false;
    }
  }
}
