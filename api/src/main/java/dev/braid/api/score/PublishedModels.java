package dev.braid.api.score;

import dev.braid.connectors.registry.RegistryPlace;
import dev.braid.connectors.topic.StreamTopic;
import dev.braid.run.scoring.VersionChoice;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.annotation.Internal;
import org.apache.flink.annotation.PublicEvolving;

/** A registry: the published versions of a model. */
@PublicEvolving
public final class PublishedModels {

  private static final String BROKERS = "bootstrap.servers";

  private final RegistryPlace registry;

  private PublishedModels(RegistryPlace registry) {
    this.registry = registry;
  }

  /**
   * Returns the registry in a folder. The folder may be created later.
   *
   * @param folder on any file system that Flink supports, such as {@code s3://bucket/models}
   */
  public static PublishedModels at(String folder) {
    return new PublishedModels(RegistryPlace.folder(folder));
  }

  /**
   * Returns the registry in a Kafka topic.
   *
   * @param brokers addresses, separated by commas: {@code broker1:9092,broker2:9092}
   * @param topic name of the topic
   */
  public static PublishedModels inTopic(String brokers, String topic) {
    return new PublishedModels(
        RegistryPlace.topic(new StreamTopic(topic, Map.of(BROKERS, brokers))));
  }

  /** Returns the registry with a property of Kafka's clients, such as {@code security.protocol}. */
  public PublishedModels property(String name, String value) {
    Map<String, String> properties = new HashMap<>(registry.kafka());
    properties.put(name, value);
    return new PublishedModels(new RegistryPlace(registry.name(), properties));
  }

  /**
   * Returns the version in service: the pinned version, or else the newest. A running job loads a
   * newer version about a second after its publication.
   */
  public ServedVersions follow() {
    return ServedVersions.of(VersionChoice.follow(registry));
  }

  /**
   * Returns one version. Jobs ignore versions that are published later.
   *
   * @param name name of the version, such as {@code v17}
   * @throws dev.braid.connectors.file.InvalidDataException if it is not the name of a version
   */
  public ServedVersions version(String name) {
    return ServedVersions.of(VersionChoice.follow(registry).fixedTo(name));
  }

  /** Returns the place of the registry. */
  @Internal
  public RegistryPlace registry() {
    return registry;
  }
}
