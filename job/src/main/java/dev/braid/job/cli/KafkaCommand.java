package dev.braid.job.cli;

import dev.braid.job.console.UsageException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/**
 * Stands in the list of commands for the broker, which the launcher {@code ./braid} starts itself:
 * in a process that has nothing of Flink.
 */
@Command(
    name = "kafka",
    mixinStandardHelpOptions = true,
    customSynopsis = "braid kafka [--port PORT] [--dir FOLDER] [--secure]",
    description = {
      "Starts a real Kafka broker of one node at 127.0.0.1, for trying things out; Ctrl-C stops"
          + " it. Only from the launcher ./braid.",
      "%n--port: 9092 by default; 0 for any that is free.",
      "--dir: for its data; by default a temporary folder, removed at the end.",
      "--secure: with TLS, users and ACLs, see docs/how-to/tls.md; files for --kafka-config are in"
          + " FOLDER/clients."
    })
public final class KafkaCommand implements Callable<Integer> {

  @Override
  public Integer call() {
    throw new UsageException("kafka: only the launcher ./braid can start it");
  }
}
