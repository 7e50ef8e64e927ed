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
 * The records of a Kafka topic, as samples. Instances are immutable: each method returns a new one.
 * Records that the encoder refuses are written to the topic {@code TOPIC.dead-letters}.
 *
 * @param <T> type of the records
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
   * Returns the samples of a topic, from its first records and without end.
   *
   * @param brokers addresses, separated by commas: {@code broker1:9092,broker2:9092}
   * @param topic name of the topic
   * @param schema reads the value of a record, such as Flink's {@code JsonDeserializationSchema};
   *     it gets no metric group
   * @param encoder makes a sample of a record
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

  /** Returns samples with a property of Kafka's clients, such as {@code security.protocol}. */
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

  /** Returns samples that start with the records that arrive after the start of the job. */
  public TopicSamples<T> fromLatest() {
    return from(new StreamBound.Latest());
  }

  /** Returns samples that start with the first records whose timestamp is not before a time. */
  public TopicSamples<T> from(Instant time) {
    return from(new StreamBound.AtTime(time.toEpochMilli()));
  }

  /**
   * Returns samples that start at an offset of each given partition, and at the first record of the
   * other partitions.
   */
  public TopicSamples<T> from(Map<Integer, Long> offsets) {
    return from(new StreamBound.Offsets(offsets));
  }

  private TopicSamples<T> from(StreamBound bound) {
    return new TopicSamples<>(topic, schema, encoder, bound, until, skipsLost, lineage);
  }

  /** Returns samples that end where the topic ends when the job starts. */
  public TopicSamples<T> untilLatest() {
    return until(new StreamBound.Latest());
  }

  /** Returns samples that end before the first records whose timestamp is not before a time. */
  public TopicSamples<T> until(Instant time) {
    return until(new StreamBound.AtTime(time.toEpochMilli()));
  }

  private TopicSamples<T> until(StreamBound bound) {
    return new TopicSamples<>(topic, schema, encoder, from, Optional.of(bound), skipsLost, lineage);
  }

  /**
   * Returns samples that skip offsets that the topic's retention has deleted. By default, such
   * offsets fail the job.
   */
  public TopicSamples<T> skippingLostOffsets() {
    return new TopicSamples<>(topic, schema, encoder, from, until, true, lineage);
  }

  /**
   * Returns samples whose lineage is in a topic instead of the folder for results. The topic is on
   * the brokers of the samples. A topic that does not exist is created; one that exists needs one
   * partition, {@code cleanup.policy=delete} and a retention without limit. Each run needs its own
   * topic.
   *
   * @param name name of the topic
   * @throws InvalidTrainingException if it is the topic of the samples or of the dead letters
   */
  public TopicSamples<T> lineageTopic(String name) {
    if (name.equals(topic.name()) || name.equals(topic.deadLetters())) {
      throw new InvalidTrainingException(
          "lineage topic", name + ": must not be the topic of the samples or of the dead letters");
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
