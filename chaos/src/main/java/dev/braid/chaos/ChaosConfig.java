package dev.braid.chaos;

import dev.braid.chaos.stream.EventSource;
import dev.braid.chaos.stream.KafkaTopic;
import java.io.Serializable;
import java.util.Optional;

/**
 * How a run is to be disturbed.
 *
 * @param source where events come from
 * @param folder a local path, which gets {@code chaos-applied.jsonl} and {@code
 *     chaos-dead-letters.jsonl}
 * @param seed for what happens with a probability
 */
public record ChaosConfig(EventSource source, String folder, long seed) implements Serializable {

  /** What became of events. */
  public String appliedFile() {
    return folder + "/chaos-applied.jsonl";
  }

  /** What is no event, or none that is possible. */
  public String deadLetterFile() {
    return folder + "/chaos-dead-letters.jsonl";
  }

  /** The topic of events, if that is where they come from. */
  Optional<KafkaTopic> topic() {
    return source instanceof EventSource.Topic from ? Optional.of(from.topic()) : Optional.empty();
  }
}
