package dev.braid.job.options;

import dev.braid.chaos.stream.KafkaTopic;
import dev.braid.connectors.DataLocation;
import dev.braid.connectors.registry.RegistryPlace;
import dev.braid.connectors.topic.StreamTopic;
import dev.braid.job.console.TextFile;
import dev.braid.job.console.UsageException;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** Options for the connection to Kafka. */
public final class KafkaFlags {

  private static final Pattern TOPIC = Pattern.compile("[a-zA-Z0-9._-]{1,200}");
  private static final Pattern BROKERS =
      Pattern.compile("[^\\s,:]+:\\d{1,5}(,[^\\s,:]+:\\d{1,5})*");

  private static final String BROKERS_PROPERTY = "bootstrap.servers";
  private static final long MAX_FILE_BYTES = 1 << 20;
  private static final String DEFAULT_BROKERS = "127.0.0.1:9092";

  @Option(
      names = "--kafka-brokers",
      paramLabel = "HOST:PORT,…",
      description = {
        "Kafka brokers, host:port, separated by commas.",
        "Default: bootstrap.servers of --kafka-config, else "
            + DEFAULT_BROKERS
            + ", the address of ./braid kafka"
      })
  private String brokers;

  @Option(
      names = "--kafka-config",
      paramLabel = "FILE",
      description = {
        "File of properties of Kafka clients, with passwords and certificates, for "
            + "brokers with authentication or TLS.",
        "Default: none"
      })
  private Path file;

  /**
   * Returns a topic at these brokers.
   *
   * @param option name of the option that has the topic's name, for messages
   * @throws UsageException if the name or the brokers' addresses are invalid
   */
  public KafkaTopic topic(String option, String name) {
    if (!TOPIC.matcher(name).matches()) {
      throw new UsageException(
          option
              // As typed: --to kafka:TOPIC, but --topic TOPIC.
              + (option.endsWith(":") ? "" : " ")
              + name
              + ": must be 1 to 200 letters, digits, dots, _ or -");
    }
    Map<String, String> all = new TreeMap<>(ofFile());
    // The brokers are passed separately.
    String ofProperties = Optional.ofNullable(all.remove(BROKERS_PROPERTY)).orElse(DEFAULT_BROKERS);
    String named = Optional.ofNullable(brokers).orElse(ofProperties);
    if (!BROKERS.matcher(named).matches()) {
      throw new UsageException(
          "--kafka-brokers " + named + ": must be host:port, or several, separated by commas");
    }
    return new KafkaTopic(named, name, all);
  }

  /**
   * Returns a topic at these brokers, for clients that read or write records.
   *
   * @param option name of the option that has the topic's name, for messages
   * @throws UsageException if the name or the brokers' addresses are invalid
   */
  public StreamTopic stream(String option, String name) {
    KafkaTopic topic = topic(option, name);
    Map<String, String> properties = new TreeMap<>();
    Properties all = topic.clientProperties();
    all.stringPropertyNames().forEach(key -> properties.put(key, all.getProperty(key)));
    return new StreamTopic(topic.name(), properties);
  }

  /**
   * Returns the topic at a place, at these brokers.
   *
   * @param typedBefore text before the place in messages, with a blank at its end; may be empty
   * @param place {@code kafka:} and the name
   * @throws UsageException as in {@link #stream}
   */
  public StreamTopic streamAt(String typedBefore, String place) {
    return stream(typedBefore + DataLocation.TOPIC, StreamTopic.nameIn(place));
  }

  /**
   * Returns the place of a registry: a folder, or a topic at these brokers.
   *
   * @param option name of the option that has the place, for messages
   * @param place {@code kafka:TOPIC}, a path, or a URI of a file system that Flink supports
   * @throws UsageException if the place is invalid
   */
  public RegistryPlace registry(String option, String place) {
    return StreamTopic.isPlace(place)
        ? RegistryPlace.topic(streamAt(option + " ", place))
        : RegistryPlace.folder(Validation.placeOf(option, place));
  }

  /**
   * Checks that none of these options is given.
   *
   * @throws UsageException for the first that is given
   */
  void requireNone(String why) {
    if (brokers != null) {
      throw new UsageException("--kafka-brokers " + brokers + ": " + why);
    }
    if (file != null) {
      throw new UsageException("--kafka-config " + file + ": " + why);
    }
  }

  private Map<String, String> ofFile() {
    if (file == null) {
      return Map.of();
    }
    String named = "--kafka-config " + file;
    Properties read = new Properties();
    try {
      read.load(new StringReader(String.join("\n", TextFile.lines(named, file, MAX_FILE_BYTES))));
    } catch (IOException | IllegalArgumentException e) {
      // Neither exception's message contains a value.
      throw new UsageException(named + ": not a file of properties: " + e.getMessage(), e);
    }
    Map<String, String> properties = new TreeMap<>();
    read.stringPropertyNames().forEach(key -> properties.put(key, read.getProperty(key)));
    return properties;
  }
}
