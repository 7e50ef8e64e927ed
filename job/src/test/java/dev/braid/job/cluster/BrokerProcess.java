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

/** A real Kafka broker in a separate process, as {@code ./braid kafka} starts it. */
public final class BrokerProcess implements AutoCloseable {

  private static final Pattern READY = Pattern.compile("Kafka at (127\\.0\\.0\\.1:(\\d+)), .*");

  private final Path folder;
  private final List<String> options;
  private Process process;
  private String address;
  private String port = "0";

  /** Starts a broker with its data in a folder. */
  public BrokerProcess(Path folder) throws IOException {
    this(folder, List.of());
  }

  private BrokerProcess(Path folder, List<String> options) throws IOException {
    this.folder = folder;
    this.options = options;
    start();
  }

  /** Starts a broker that authenticates its clients. */
  public static BrokerProcess secured(Path folder) throws IOException {
    return new BrokerProcess(folder, List.of("--secure"));
  }

  /** Starts the broker again after {@link #stop}, at the same address and with the same data. */
  public void start() throws IOException {
    Path target = Path.of("broker", "target").toAbsolutePath();
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

  /** Returns the broker's address. */
  public String address() {
    return address;
  }

  /** Returns the address at which a secured broker accepts clients with certificates. */
  public String certificatesAddress() {
    return "127.0.0.1:" + (Integer.parseInt(port) + 1);
  }

  /** Returns a user's file of properties for a secured broker. */
  public Path client(String user) {
    return folder.resolve("clients").resolve(user + ".properties");
  }

  /** Returns all addresses at which the process listens. */
  public List<InetAddress> listensAt() throws IOException {
    return ListeningSockets.of(process.pid());
  }

  /** Stops the broker, as Ctrl-C does. */
  public void stop() {
    process.destroy();
    process.onExit().join();
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
