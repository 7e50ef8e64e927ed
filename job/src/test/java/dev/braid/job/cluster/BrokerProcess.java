package dev.braid.job.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A real Kafka broker in a process of its own, as {@code ./braid kafka} starts it. */
public final class BrokerProcess implements AutoCloseable {

  private static final Pattern READY = Pattern.compile("Kafka at (127\\.0\\.0\\.1:(\\d+)), .*");

  private final Path folder;
  private Process process;
  private String address;
  private String port = "0";

  /** Starts a broker with its data in this folder. */
  public BrokerProcess(Path folder) throws IOException {
    this.folder = folder;
    start();
  }

  /** Starts it again after {@link #stop}, at the same address and with the same data. */
  public void start() throws IOException {
    Path target = Path.of("..", "broker", "target").toAbsolutePath();
    process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx256m",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    target.resolve("classes") + ":" + target.resolve("lib") + "/*",
                    "dev.braid.broker.Broker",
                    "--port",
                    port,
                    "--dir",
                    folder.toString()))
            .redirectErrorStream(true)
            .start();
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
