package dev.braid.api.score;

import dev.braid.connectors.registry.RegistryPlace;
import dev.braid.connectors.topic.StreamTopic;
import dev.braid.run.scoring.VersionChoice;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.annotation.Internal;
import org.apache.flink.annotation.PublicEvolving;

/** The published versions of a model: a registry, which a continual training publishes into. */
@PublicEvolving
public final class PublishedModels {

  private static final String BROKERS = "bootstrap.servers";

  private final RegistryPlace registry;

  private PublishedModels(RegistryPlace registry) {
    this.registry = registry;
  }

  /**
   * Returns the versions in a folder. It need not exist yet.
   *
   * @param folder on any file system of Flink, such as {@code s3://bucket/models}
   */
  public static PublishedModels at(String folder) {
    return new PublishedModels(RegistryPlace.folder(folder));
  }

  /**
   * Returns the versions in a Kafka topic.
   *
   * @param brokers addresses with commas between: {@code broker1:9092,broker2:9092}
   * @param topic name of the topic
   */
  public static PublishedModels inTopic(String brokers, String topic) {
    return new PublishedModels(
        RegistryPlace.topic(new StreamTopic(topic, Map.of(BROKERS, brokers))));
  }

  /** Sets a property of Kafka's clients, such as {@code security.protocol}. */
  public PublishedModels property(String name, String value) {
    Map<String, String> properties = new HashMap<>(registry.kafka());
    properties.put(name, value);
    return new PublishedModels(new RegistryPlace(registry.name(), properties));
  }

  /**
   * Scores with the version that the registry serves: the pinned one, or else the newest. A job
   * takes the next version into service, while it runs, about a second after the version is
   * published.
   */
  public ServedVersions follow() {
    return ServedVersions.of(VersionChoice.follow(registry));
  }

  /**
   * Scores with one version, whatever is published later.
   *
   * @param name such as {@code v17}
   * @throws dev.braid.connectors.file.InvalidDataException if no version has such a name
   */
  public ServedVersions version(String name) {
    return ServedVersions.of(VersionChoice.follow(registry).fixedTo(name));
  }

  /** Returns where they are. */
  @Internal
  public RegistryPlace registry() {
    return registry;
  }
}
