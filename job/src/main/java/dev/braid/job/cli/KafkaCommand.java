package dev.braid.job.cli;

import dev.braid.job.console.UsageException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/**
 * Entry for the broker in the list of commands. The launcher {@code ./braid} starts the broker
 * itself, in a process without Flink's classes.
 */
@Command(
    name = "kafka",
    mixinStandardHelpOptions = true,
    customSynopsis = "braid kafka [--port PORT] [--dir FOLDER] [--secure]",
    description = {
      "Starts a Kafka broker with one node at 127.0.0.1, for trials.",
      "",
      "Ctrl-C stops it. Only the launcher ./braid has this command.",
      "%n  --port: port of the broker, 9092 by default; 0 for any free port.",
      "  --dir: folder for its data; by default a temporary folder, removed when it stops.",
      "  --secure: use TLS, users and ACLs, see docs/how-to/tls.md; files for "
          + "--kafka-config are in FOLDER/clients."
    })
public final class KafkaCommand implements Callable<Integer> {

  @Override
  public Integer call() {
    throw new UsageException("kafka: only the launcher ./braid can start a broker: ./braid kafka");
  }
}
