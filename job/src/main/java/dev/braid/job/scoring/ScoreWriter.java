package dev.braid.job.scoring;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.braid.api.score.Scored;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Scores as records of a topic: with the key of the record that was scored, and an object such as
 * {@code {"partition":0,"offset":17,"version":"v3","class":"1","scores":[0.1,0.9]}}.
 */
final class ScoreWriter implements KafkaRecordSerializationSchema<Scored<TopicRecord>> {

  private static final long serialVersionUID = 1L;

  private static final JsonFactory JSON = new JsonFactory();

  private final String topic;

  ScoreWriter(String topic) {
    this.topic = topic;
  }

  @Override
  public ProducerRecord<byte[], byte[]> serialize(
      Scored<TopicRecord> scored, KafkaSinkContext context, Long timestamp) {
    // Kafka spreads records without a key, and has those with the same key in one partition.
    return new ProducerRecord<>(topic, null, timestamp, scored.record().key(), json(scored));
  }

  static byte[] json(Scored<TopicRecord> scored) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(bytes)) {
      json.writeStartObject();
      json.writeNumberField("partition", scored.record().partition());
      json.writeNumberField("offset", scored.record().offset());
      json.writeStringField("version", scored.version());
      if (scored.error().isPresent()) {
        json.writeStringField("error", scored.error().get());
      } else {
        if (scored.label().isPresent()) {
          json.writeStringField("class", scored.label().get());
        }
        json.writeArrayFieldStart(scored.label().isPresent() ? "scores" : "values");
        for (float score : scored.scores()) {
          json.writeNumber(score);
        }
        json.writeEndArray();
      }
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("memory has no errors", e);
    }
    return bytes.toByteArray();
  }
}
