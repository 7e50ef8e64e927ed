package dev.braid.api.score;

import dev.braid.connectors.registry.ModelRegistry;
import dev.braid.run.scoring.VersionChoice;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.annotation.Internal;
import org.apache.flink.annotation.PublicEvolving;

/** The published versions of a model: a registry, which a continual training publishes into. */
@PublicEvolving
public final class PublishedModels {

  private static final String BROKERS = "bootstrap.servers";

  private final String place;
  private final Map<String, String> kafka;

  private PublishedModels(String place, Map<String, String> kafka) {
    this.place = place;
    this.kafka = Map.copyOf(kafka);
  }

  /**
   * Returns the versions in a folder. It need not exist yet.
   *
   * @param folder on any file system of Flink, such as {@code s3://bucket/models}
   */
  public static PublishedModels at(String folder) {
    return new PublishedModels(folder, Map.of());
  }

  /**
   * Returns the versions in a Kafka topic.
   *
   * @param brokers addresses with commas between: {@code broker1:9092,broker2:9092}
   * @param topic name of the topic
   */
  public static PublishedModels inTopic(String brokers, String topic) {
    return new PublishedModels(ModelRegistry.TOPIC + topic, Map.of(BROKERS, brokers));
  }

  /** Sets a property of Kafka's clients, such as {@code security.protocol}. */
  public PublishedModels property(String name, String value) {
    Map<String, String> properties = new HashMap<>(kafka);
    properties.put(name, value);
    return new PublishedModels(place, properties);
  }

  /**
   * Scores with the version that the registry serves: the pinned one, or else the newest. A job
   * takes the next version into service, while it runs, about a second after the version is
   * published.
   */
  public ServedVersions follow() {
    return ServedVersions.of(VersionChoice.follow(place, kafka));
  }

  /**
   * Scores with one version, whatever is published later.
   *
   * @param name such as {@code v17}
   * @throws dev.braid.connectors.file.InvalidDataException if no version has such a name
   */
  public ServedVersions version(String name) {
    return ServedVersions.of(VersionChoice.follow(place, kafka).fixedTo(name));
  }

  /** Returns the place of the registry. */
  @Internal
  public String place() {
    return place;
  }

  /** Returns the properties of Kafka's clients; empty for a folder. */
  @Internal
  public Map<String, String> kafka() {
    return kafka;
  }
}
