package dev.braid.connectors.registry;

import dev.braid.connectors.DataLocation;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.topic.StreamTopic;
import java.io.IOException;
import java.io.Serializable;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.flink.core.fs.Path;

/**
 * The place of a registry, with the properties of its clients. It is part of the job.
 *
 * @param name {@code kafka:} and a topic; or a path, or a URI of a file system that Flink supports
 * @param kafka properties of Kafka's clients, which may contain secrets; empty for a folder
 */
public record RegistryPlace(String name, Map<String, String> kafka) implements Serializable {

  private static final Pattern TOPIC_NAME = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

  /** Copies the properties. */
  public RegistryPlace {
    kafka = Map.copyOf(kafka);
  }

  /** Returns the place of a registry in a folder. */
  public static RegistryPlace folder(String folder) {
    return new RegistryPlace(folder, Map.of());
  }

  /** Returns the place of a registry in a topic. */
  public static RegistryPlace topic(StreamTopic topic) {
    return new RegistryPlace(topic.place(), topic.properties());
  }

  /** Returns whether the registry is a topic. */
  public boolean isTopic() {
    return StreamTopic.isPlace(name);
  }

  /**
   * Opens the registry, which need not exist.
   *
   * @throws InvalidDataException if the place is unsuitable for a registry
   * @throws IOException if it cannot be read
   */
  public ModelRegistry open() throws IOException {
    if (isTopic()) {
      String topic = StreamTopic.nameIn(name);
      if (!TOPIC_NAME.matcher(topic).matches()) {
        throw new InvalidDataException(
            "%s: 1 to 249 letters, digits, dots, _ or - are needed after %s"
                .formatted(name, DataLocation.TOPIC));
      }
      return TopicRegistry.open(new StreamTopic(topic, kafka));
    }
    try {
      Path unused = new Path(name);
    } catch (IllegalArgumentException e) {
      throw new InvalidDataException(
          "'" + name + "': not the path of a folder: " + e.getMessage(), e);
    }
    return new FolderRegistry(name);
  }

  /** Returns the place for people and logs, without the properties, which may contain secrets. */
  @Override
  public String toString() {
    return name;
  }
}
