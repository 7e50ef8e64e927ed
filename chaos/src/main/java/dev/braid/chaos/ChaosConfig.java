package dev.braid.chaos;

import dev.braid.chaos.stream.EventSource;
import dev.braid.chaos.stream.KafkaTopic;
import java.io.Serializable;
import java.util.Optional;

/**
 * How a run is to be disturbed.
 *
 * @param source where events come from
 * @param folder a local path, or a URI of a file system that Flink knows, which gets {@code
 *     chaos-applied.jsonl} and {@code chaos-dead-letters.jsonl}
 * @param seed for what happens with a probability
 */
public record ChaosConfig(EventSource source, String folder, long seed) implements Serializable {

  /** The logs' names, in the folder. */
  public static final String APPLIED = "chaos-applied.jsonl";

  public static final String DEAD_LETTERS = "chaos-dead-letters.jsonl";

  /** What became of events. */
  public String appliedFile() {
    return folder + "/" + APPLIED;
  }

  /** What is no event, or none that is possible. */
  public String deadLetterFile() {
    return folder + "/" + DEAD_LETTERS;
  }

  /** The topic of events, if that is where they come from. */
  Optional<KafkaTopic> topic() {
    return source instanceof EventSource.Topic from ? Optional.of(from.topic()) : Optional.empty();
  }
}
