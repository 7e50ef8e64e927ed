package dev.braid.job.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Computers on a network whose paths can be cut, created by {@code bench/network}: Linux network
 * namespaces, each with a cable to a switch. Requires root, {@code ip} and {@code nft}.
 */
final class NetworkLab implements AutoCloseable {

  private static final String NETWORK = "10.203.77.";
  private static final int SWITCH = 1;
  private static final Path SCRIPT = Path.of("..", "bench", "network").toAbsolutePath();

  private final String name = "braid" + ProcessHandle.current().pid();

  /** Connects this many nodes, numbered from 0, to a switch. */
  NetworkLab(int nodes) {
    // Namespaces outlive the process that created them.
    Runtime.getRuntime().addShutdownHook(new Thread(this::close, "braid-network-lab"));
    network("up", Integer.toString(nodes));
  }

  /** Returns the host of a JobManager, which cuts do not affect. */
  ProcessCluster.Host atTheSwitch() {
    return host("switch", SWITCH);
  }

  ProcessCluster.Host node(int node) {
    return host(Integer.toString(node), SWITCH + 1 + node);
  }

  /** Makes the switch drop all packets between two nodes silently. */
  void cut(int one, int other) {
    network("cut", Integer.toString(one), Integer.toString(other));
  }

  void heal() {
    network("heal");
  }

  private ProcessCluster.Host host(String of, int last) {
    return new ProcessCluster.Host(NETWORK + last, List.of("ip", "netns", "exec", name + "-" + of));
  }

  private void network(String... arguments) {
    List<String> command = new ArrayList<>(List.of(SCRIPT.toString(), name));
    command.addAll(List.of(arguments));
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String output =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (process.waitFor() != 0) {
        throw new IllegalStateException(String.join(" ", command) + ": " + output);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Removes the network; has no effect if it is already removed. */
  @Override
  public synchronized void close() {
    network("down");
  }
}
