package dev.braid.job.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A real Kafka broker in a process of its own, as {@code ./braid kafka} starts it. */
public final class BrokerProcess implements AutoCloseable {

  private static final Pattern READY = Pattern.compile("Kafka at (127\\.0\\.0\\.1:(\\d+)), .*");

  private final Path folder;
  private final List<String> options;
  private Process process;
  private String address;
  private String port = "0";

  /** Starts a broker with its data in this folder. */
  public BrokerProcess(Path folder) throws IOException {
    this(folder, List.of());
  }

  private BrokerProcess(Path folder, List<String> options) throws IOException {
    this.folder = folder;
    this.options = options;
    start();
  }

  /** Starts one that asks everybody who they are. */
  public static BrokerProcess secured(Path folder) throws IOException {
    return new BrokerProcess(folder, List.of("--secure"));
  }

  /** Starts it again after {@link #stop}, at the same address and with the same data. */
  public void start() throws IOException {
    Path target = Path.of("..", "broker", "target").toAbsolutePath();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", target.resolve("classes") + ":" + target.resolve("lib") + "/*"));
    command.addAll(List.of("dev.braid.broker.Broker", "--port", port));
    command.addAll(List.of("--dir", folder.toString()));
    command.addAll(options);
    process = new ProcessBuilder(command).redirectErrorStream(true).start();
    BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    StringBuilder said = new StringBuilder();
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      Matcher ready = READY.matcher(line);
      if (ready.matches()) {
        address = ready.group(1);
        port = ready.group(2);
        return;
      }
      said.append(line).append('\n');
    }
    throw new IOException("the broker did not start:\n" + said);
  }

  /** Where it listens. */
  public String address() {
    return address;
  }

  /** Where a secured one listens for clients with certificates. */
  public String certificatesAddress() {
    return "127.0.0.1:" + (Integer.parseInt(port) + 1);
  }

  /** A user's file of properties, of a secured one. */
  public Path client(String user) {
    return folder.resolve("clients").resolve(user + ".properties");
  }

  /** Where it listens, by all that it has open. */
  public List<InetAddress> listensAt() throws IOException {
    return ListeningSockets.of(process.pid());
  }

  /** Stops it as Ctrl-C does. */
  public void stop() {
    process.destroy();
    process.onExit().join();
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
