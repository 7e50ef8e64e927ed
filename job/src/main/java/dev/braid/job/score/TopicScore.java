package dev.braid.job.score;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.braid.run.scoring.RecordScore;
import dev.braid.run.scoring.ScoreForm;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * The score of a record, as a record of the topic of scores.
 *
 * @param key the scored record's key; null if it has none
 * @param json an object of the record's partition and offset, the version, and the result as of
 *     {@code braid predict}: {@code {"partition":0,"offset":17,"version":"v3","class":"1",
 *     "probabilities":{"0":0.1,"1":0.9}}}
 */
public record TopicScore(@Nullable byte[] key, byte[] json) {

  private static final JsonFactory JSON = new JsonFactory();

  /** Converter of results to scores. */
  static final class Form implements ScoreForm<TopicRecord, TopicScore> {

    private static final long serialVersionUID = 1L;

    @Override
    public TopicScore of(TopicRecord record, RecordScore score, List<String> names) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (JsonGenerator json = JSON.createGenerator(bytes)) {
        json.writeStartObject();
        json.writeNumberField("partition", record.partition());
        json.writeNumberField("offset", record.offset());
        json.writeStringField("version", score.version());
        if (!score.isScored()) {
          json.writeStringField("error", score.error());
        } else if (score.label().isEmpty()) {
          write(json, "values", score.scores(), names);
        } else {
          json.writeStringField("class", score.label());
          write(json, "probabilities", score.scores(), names);
        }
        json.writeEndObject();
      } catch (IOException e) {
        throw new UncheckedIOException("memory has no errors", e);
      }
      return new TopicScore(record.key(), bytes.toByteArray());
    }

    private static void write(JsonGenerator json, String field, float[] scores, List<String> names)
        throws IOException {
      json.writeObjectFieldStart(field);
      for (int i = 0; i < scores.length; i++) {
        json.writeNumberField(names.get(i), scores[i]);
      }
      json.writeEndObject();
    }
  }

  /** Serializer of scores as records of a topic, with the timestamps of the scored records. */
  static final class Writer implements KafkaRecordSerializationSchema<TopicScore> {

    private static final long serialVersionUID = 1L;

    private final String topic;

    Writer(String topic) {
      this.topic = topic;
    }

    @Override
    public ProducerRecord<byte[], byte[]> serialize(
        TopicScore score, KafkaSinkContext context, Long timestamp) {
      return new ProducerRecord<>(topic, null, timestamp, score.key(), score.json());
    }
  }
}
