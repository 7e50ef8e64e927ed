package dev.braid.chaos;

import dev.braid.chaos.stream.EventSource;
import dev.braid.chaos.stream.KafkaTopic;
import java.io.Serializable;
import java.util.Optional;

/**
 * Configuration of fault injection in a run.
 *
 * @param source source of the events
 * @param folder a local path, or a URI of a file system that Flink supports, which gets {@code
 *     chaos-applied.jsonl} and {@code chaos-dead-letters.jsonl}
 * @param seed seed of everything that happens with a probability
 */
public record ChaosConfig(EventSource source, String folder, long seed) implements Serializable {

  /** Names of the logs in the folder. */
  public static final String APPLIED = "chaos-applied.jsonl";

  public static final String DEAD_LETTERS = "chaos-dead-letters.jsonl";

  /** Returns the path of the log of applied events. */
  public String appliedFile() {
    return folder + "/" + APPLIED;
  }

  /** Returns the path of the log of records that are not events, or that are impossible events. */
  public String deadLetterFile() {
    return folder + "/" + DEAD_LETTERS;
  }

  /** Returns the topic of events, if they come from one. */
  Optional<KafkaTopic> topic() {
    return source instanceof EventSource.Topic from ? Optional.of(from.topic()) : Optional.empty();
  }
}
