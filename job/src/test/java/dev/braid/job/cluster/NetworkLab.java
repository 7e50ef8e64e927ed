package dev.braid.job.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Computers on a network whose paths can be cut: Linux network namespaces, each with a cable to a
 * switch, which is a bridge in a namespace of its own. One more cable leads from there to this
 * process, for those who watch. Needs root, {@code ip} and {@code nft}.
 */
final class NetworkLab implements AutoCloseable {

  private static final String NETWORK = "10.203.77.";
  private static final int WATCHER = 254;
  private static final int SWITCH = 1;
  private static final Pattern DEVICE = Pattern.compile("^braid(?<pid>[0-9]+)(?=@)");
  private static final Pattern NAMESPACE = Pattern.compile("^braid(?<pid>[0-9]+)-[a-z0-9]+");

  private final String name = "braid" + ProcessHandle.current().pid();
  private final List<String> namespaces = new ArrayList<>();

  /** Connects this many nodes, numbered from 0, to a switch. */
  NetworkLab(int nodes) {
    // Namespaces outlive the process that made them.
    Runtime.getRuntime().addShutdownHook(new Thread(this::close, "braid-network-lab"));
    removeAbandoned();
    try {
      namespace(theSwitch());
      ip("-n", theSwitch(), "link", "add", "bridge", "type", "bridge");
      address(theSwitch(), "bridge", SWITCH);
      for (int node = 0; node < nodes; node++) {
        namespace(namespaceOf(node));
        ip(
            "link",
            "add",
            port(node),
            "netns",
            theSwitch(),
            "type",
            "veth",
            "peer",
            "name",
            "eth0",
            "netns",
            namespaceOf(node));
        plugIn(port(node));
        address(namespaceOf(node), "eth0", addressOf(node));
      }
      ip("link", "add", "watcher", "netns", theSwitch(), "type", "veth", "peer", "name", name);
      plugIn("watcher");
      ip("address", "add", NETWORK + WATCHER + "/24", "dev", name);
      ip("link", "set", name, "up");
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Where a JobManager sits: cuts do not concern it. */
  ProcessCluster.Host atTheSwitch() {
    return host(theSwitch(), SWITCH);
  }

  ProcessCluster.Host node(int node) {
    return host(namespaceOf(node), addressOf(node));
  }

  /** From now on the switch passes nothing on between two nodes, and tells nobody. */
  void cut(int one, int other) {
    String rule = "iifname \"%s\" oifname \"%s\" drop\n";
    nft(
        """
        table bridge cut {
          chain between {
            type filter hook forward priority 0;
            %s
            %s
          }
        }
        """
            .formatted(
                rule.formatted(port(one), port(other)), rule.formatted(port(other), port(one))));
  }

  void heal() {
    nft("delete table bridge cut\n");
  }

  private void namespace(String namespace) {
    ip("netns", "add", namespace);
    namespaces.add(namespace);
    ip("-n", namespace, "link", "set", "lo", "up");
  }

  private void plugIn(String port) {
    ip("-n", theSwitch(), "link", "set", port, "master", "bridge", "up");
  }

  private static void address(String namespace, String device, int last) {
    ip("-n", namespace, "address", "add", NETWORK + last + "/24", "dev", device);
    ip("-n", namespace, "link", "set", device, "up");
  }

  private String theSwitch() {
    return name + "-switch";
  }

  private String namespaceOf(int node) {
    return name + "-" + node;
  }

  private static String port(int node) {
    return "port" + node;
  }

  private static int addressOf(int node) {
    return SWITCH + 1 + node;
  }

  private static ProcessCluster.Host host(String namespace, int last) {
    return new ProcessCluster.Host(NETWORK + last, List.of("ip", "netns", "exec", namespace));
  }

  /** A process that is killed leaves its network behind, in which this one's packets would end. */
  private static void removeAbandoned() {
    for (String namespace : ip("netns", "list").lines().toList()) {
      Matcher abandoned = NAMESPACE.matcher(namespace);
      if (abandoned.find() && isGone(abandoned.group("pid"))) {
        ip("netns", "delete", abandoned.group());
      }
    }
    // A namespace without a name lives on for as long as a connection in it does.
    for (String device : ip("-brief", "link", "show", "type", "veth").lines().toList()) {
      Matcher abandoned = DEVICE.matcher(device);
      if (abandoned.find() && isGone(abandoned.group("pid"))) {
        ip("link", "delete", abandoned.group());
      }
    }
  }

  private static boolean isGone(String pid) {
    return ProcessHandle.of(Long.parseLong(pid)).isEmpty();
  }

  private static String ip(String... arguments) {
    List<String> command = new ArrayList<>(List.of("ip"));
    command.addAll(List.of(arguments));
    return run(command, "");
  }

  private void nft(String input) {
    run(List.of("ip", "netns", "exec", theSwitch(), "nft", "-f", "-"), input);
  }

  private static String run(List<String> command, String input) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().close();
      String output =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (process.waitFor() != 0) {
        throw new IllegalStateException(String.join(" ", command) + ": " + output);
      }
      return output;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Cables go with the namespaces at their ends. */
  @Override
  public synchronized void close() {
    namespaces.forEach(namespace -> ip("netns", "delete", namespace));
    namespaces.clear();
  }
}
