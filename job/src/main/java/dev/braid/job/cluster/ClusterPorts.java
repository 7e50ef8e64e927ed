package dev.braid.job.cluster;

import dev.braid.job.console.UsageException;
import dev.braid.job.engine.FlinkSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;

/** Ports of the loopback address that nobody listens on, none of them twice. */
final class ClusterPorts {

  private final Set<Integer> given = new HashSet<>();

  /**
   * The web UI's port.
   *
   * @throws UsageException if another program has it
   */
  int web(int wanted) {
    if (!claim(wanted)) {
      throw new UsageException(
          "--port " + wanted + ": in use by another program; choose another port");
    }
    return wanted;
  }

  /** The first that is free for a web UI, as the embedded Flink has it. */
  int web() throws IOException {
    for (int port = FlinkSettings.FIRST_WEB_PORT; port <= FlinkSettings.LAST_WEB_PORT; port++) {
      if (claim(port)) {
        return port;
      }
    }
    return any();
  }

  /** Any that is free. */
  int any() throws IOException {
    while (true) {
      try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        if (given.add(socket.getLocalPort())) {
          return socket.getLocalPort();
        }
      }
    }
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
