package dev.braid.job.models;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.lineage.Lineage;
import dev.braid.connectors.registry.ModelRegistry;
import dev.braid.connectors.registry.ModelVersion;
import dev.braid.connectors.registry.RegistryPlace;
import dev.braid.connectors.topic.StreamTopic;
import dev.braid.connectors.topic.TopicOffsets;
import dev.braid.files.WholeFile;
import dev.braid.job.console.UsageException;
import dev.braid.job.options.BrokerWait;
import dev.braid.job.options.FilePlugins;
import dev.braid.job.options.KafkaFlags;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedSet;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.UnsupportedFileSystemSchemeException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Options that select the registry of a command. */
final class RegistryFlags {

  @Parameters(
      index = "0",
      paramLabel = "REGISTRY",
      description =
          "Registry: a folder, the URI of a folder, or kafka:TOPIC, as given to the "
              + "training with --publish.")
  private String place;

  @Mixin private final KafkaFlags kafka = new KafkaFlags();

  /** Work of a command on an open registry. */
  interface Work {
    int with(ModelRegistry registry) throws IOException, InterruptedException;
  }

  /**
   * Opens the registry, runs some work on it and closes it.
   *
   * @return exit code of the work
   * @throws UsageException if the place cannot be a registry, or cannot be read or written
   */
  int use(Work work) throws InterruptedException {
    boolean isTopic = StreamTopic.isPlace(place);
    if (!isTopic) {
      FilePlugins.loadFor(List.of(place));
    }
    RegistryPlace typed = isTopic ? RegistryPlace.topic(topic(place)) : RegistryPlace.folder(place);
    try (ModelRegistry registry = typed.open()) {
      if (isTopic) {
        findTopic();
      }
      return work.with(registry);
    } catch (UnsupportedFileSystemSchemeException e) {
      String scheme = new Path(place).toUri().getScheme();
      throw new UsageException(place + ": " + FilePlugins.missing(scheme), e);
    } catch (InvalidDataException e) {
      throw new UsageException(e.getMessage(), e);
    } catch (IOException e) {
      throw new UsageException(
          isTopic ? e.getMessage() : place + ": cannot be read: " + WholeFile.reason(e), e);
    }
  }

  /** Waits for the broker and reports a long wait; reading the registry would wait silently. */
  private void findTopic() throws IOException {
    StreamTopic topic = topic(place);
    try (TopicOffsets offsets = new TopicOffsets(topic)) {
      var unused = BrokerWait.answer(topic, offsets::find);
    }
  }

  /**
   * Returns the topic at a place that begins with {@code kafka:}, at the brokers of the options.
   */
  private StreamTopic topic(String topicPlace) {
    return kafka.streamAt("", topicPlace);
  }

  /**
   * Opens a lineage.
   *
   * @throws InvalidDataException if it does not exist
   * @throws IOException if it cannot be read
   */
  Lineage lineage(String lineagePlace) throws IOException {
    return Lineage.open(
        lineagePlace,
        StreamTopic.isPlace(lineagePlace) ? topic(lineagePlace) : new StreamTopic("", Map.of()));
  }

  /**
   * Returns the numbers of the versions.
   *
   * @throws UsageException if there are none
   */
  static SortedSet<Integer> numbers(ModelRegistry registry) throws IOException {
    SortedSet<Integer> numbers = registry.numbers();
    if (numbers.isEmpty()) {
      throw new UsageException(
          registry.place()
              + ": has no version: give the --publish of a training that has published one");
    }
    return numbers;
  }

  /**
   * Returns the number of a version.
   *
   * @param name as the user has typed it; empty for the version in service
   * @throws UsageException if there is no such version
   */
  static int number(ModelRegistry registry, Optional<String> name) throws IOException {
    SortedSet<Integer> numbers = numbers(registry);
    int number = name.isPresent() ? typed(name.get()) : registry.serving().orElseThrow();
    if (!numbers.contains(number)) {
      throw new UsageException(
          "%s: %s%s does not exist; versions are %s"
              .formatted(
                  registry.place(),
                  name.isPresent() ? "" : "the pinned version ",
                  ModelVersion.name(number),
                  VersionText.range(numbers)));
    }
    return number;
  }

  private static int typed(String name) {
    try {
      return ModelVersion.number(name);
    } catch (InvalidDataException e) {
      throw new UsageException("VERSION " + e.getMessage(), e);
    }
  }

  /**
   * Returns a version that the registry lists.
   *
   * @throws UsageException if it has been removed in the meantime
   */
  static ModelVersion version(ModelRegistry registry, int number) throws IOException {
    return registry
        .version(number)
        .orElseThrow(
            () ->
                new UsageException(
                    "%s: %s has been removed"
                        .formatted(registry.place(), ModelVersion.name(number))));
  }

  /** Returns the state of a version: {@code in service}, {@code in service, pinned} or nothing. */
  static String state(int number, OptionalInt pinned, OptionalInt serving) {
    if (pinned.isPresent() && pinned.getAsInt() == number) {
      return "in service, pinned";
    }
    return serving.isPresent() && serving.getAsInt() == number ? "in service" : "";
  }
}
