package dev.braid.api;

import dev.braid.api.flow.EncodedRecords;
import dev.braid.api.sample.Encoder;
import dev.braid.connectors.DataLocation;
import dev.braid.connectors.topic.StreamBound;
import dev.braid.connectors.topic.StreamTopic;
import dev.braid.run.training.InvalidTrainingException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.serialization.DeserializationSchema;

/**
 * The records of a Kafka topic as samples. Each method returns other samples and leaves these as
 * they are. A record that is no sample goes to the topic {@code TOPIC.dead-letters}.
 *
 * @param <T> the records
 */
@PublicEvolving
public final class TopicSamples<T> {

  private static final String BROKERS = "bootstrap.servers";

  private final StreamTopic topic;
  private final DeserializationSchema<T> schema;
  private final Encoder<T> encoder;
  private final StreamBound from;
  private final Optional<StreamBound> until;
  private final boolean skipsLost;
  private final Optional<String> lineage;

  private TopicSamples(
      StreamTopic topic,
      DeserializationSchema<T> schema,
      Encoder<T> encoder,
      StreamBound from,
      Optional<StreamBound> until,
      boolean skipsLost,
      Optional<String> lineage) {
    this.topic = topic;
    this.schema = schema;
    this.encoder = encoder;
    this.from = from;
    this.until = until;
    this.skipsLost = skipsLost;
    this.lineage = lineage;
  }

  /**
   * Returns the samples of a topic, from its first records on and without end.
   *
   * @param brokers addresses with commas between: {@code broker1:9092,broker2:9092}
   * @param topic its name
   * @param schema how the value of a record is read, such as Flink's {@code
   *     JsonDeserializationSchema}; it is not told of a metric group
   * @param encoder how a record becomes a sample
   */
  public static <T> TopicSamples<T> of(
      String brokers, String topic, DeserializationSchema<T> schema, Encoder<T> encoder) {
    return new TopicSamples<>(
        new StreamTopic(topic, Map.of(BROKERS, brokers)),
        schema,
        encoder,
        new StreamBound.Earliest(),
        Optional.empty(),
        false,
        Optional.empty());
  }

  /** Sets a property of Kafka's clients, such as {@code security.protocol}. */
  public TopicSamples<T> property(String name, String value) {
    Map<String, String> properties = new HashMap<>(topic.properties());
    properties.put(name, value);
    return new TopicSamples<>(
        new StreamTopic(topic.name(), Map.copyOf(properties)),
        schema,
        encoder,
        from,
        until,
        skipsLost,
        lineage);
  }

  /** Begins with the records that come after the job has started. */
  public TopicSamples<T> fromLatest() {
    return from(new StreamBound.Latest());
  }

  /** Begins with the first records that are not older than a time. */
  public TopicSamples<T> from(Instant time) {
    return from(new StreamBound.AtTime(time.toEpochMilli()));
  }

  /** Begins at an offset of each of some partitions, and at the first record of all others. */
  public TopicSamples<T> from(Map<Integer, Long> offsets) {
    return from(new StreamBound.Offsets(offsets));
  }

  private TopicSamples<T> from(StreamBound bound) {
    return new TopicSamples<>(topic, schema, encoder, bound, until, skipsLost, lineage);
  }

  /** Ends where the topic ends when the job starts. */
  public TopicSamples<T> untilLatest() {
    return until(new StreamBound.Latest());
  }

  /** Ends in front of the first records that are not older than a time. */
  public TopicSamples<T> until(Instant time) {
    return until(new StreamBound.AtTime(time.toEpochMilli()));
  }

  private TopicSamples<T> until(StreamBound bound) {
    return new TopicSamples<>(topic, schema, encoder, from, Optional.of(bound), skipsLost, lineage);
  }

  /** Leaves out offsets that the topic's retention has deleted, where training would fail. */
  public TopicSamples<T> skippingLostOffsets() {
    return new TopicSamples<>(topic, schema, encoder, from, until, true, lineage);
  }

  /**
   * Keeps the lineage in a topic instead of the folder for results. The brokers are those of the
   * samples. A topic that does not exist is created; one that exists needs one partition, {@code
   * cleanup.policy=delete} and a retention without limit. Each run has its own.
   *
   * @param name name of the topic
   * @throws InvalidTrainingException if it is the topic of the samples or of the dead letters
   */
  public TopicSamples<T> lineageTopic(String name) {
    if (name.equals(topic.name()) || name.equals(topic.deadLetters())) {
      throw new InvalidTrainingException(
          "lineage topic",
          name + ": a topic other than that of the samples or the dead letters is needed");
    }
    return new TopicSamples<>(
        topic, schema, encoder, from, until, skipsLost, Optional.of(DataLocation.TOPIC + name));
  }

  StreamTopic topic() {
    return topic;
  }

  Encoder<T> encoder() {
    return encoder;
  }

  EncodedRecords<T> form(double holdout) {
    return new EncodedRecords<>(schema, encoder, holdout);
  }

  StreamBound begin() {
    return from;
  }

  Optional<StreamBound> end() {
    return until;
  }

  boolean skipsLost() {
    return skipsLost;
  }

  Optional<String> lineage() {
    return lineage;
  }
}
