package dev.braid.job.options;

import dev.braid.chaos.stream.KafkaTopic;
import dev.braid.job.console.UsageException;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** The options that say how to reach Kafka. */
final class KafkaFlags {

  private static final Pattern TOPIC = Pattern.compile("[a-zA-Z0-9._-]{1,200}");
  private static final Pattern BROKERS =
      Pattern.compile("[^\\s,:]+:\\d{1,5}(,[^\\s,:]+:\\d{1,5})*");

  private static final String DEFAULT_BROKERS = "127.0.0.1:9092";

  @Option(
      names = "--kafka-brokers",
      paramLabel = "HOST:PORT,…",
      description = {"Brokers of Kafka.", "Default: " + DEFAULT_BROKERS + ", as of ./braid kafka"})
  // Not picocli's default value, which it does not set where no option of a group is given.
  private String brokers = DEFAULT_BROKERS;

  @Option(
      names = "--kafka-property",
      paramLabel = "KEY=VALUE",
      description = {
        "A property of Kafka's clients, as many as need be:",
        "security.protocol=SASL_SSL is one.",
        "Default: none"
      })
  private Map<String, String> properties = new TreeMap<>();

  /**
   * A topic at these brokers.
   *
   * @throws UsageException if it cannot have this name, or the brokers' addresses are none
   */
  KafkaTopic topic(String name) {
    if (!TOPIC.matcher(name).matches()) {
      throw new UsageException(
          "topic " + name + ": 1 to 200 letters, digits, dots, _ or - are needed");
    }
    if (!BROKERS.matcher(brokers).matches()) {
      throw new UsageException(
          "--kafka-brokers " + brokers + ": host:port is needed, or several with commas between");
    }
    return new KafkaTopic(brokers, name, new TreeMap<>(properties));
  }
}
