package dev.braid.job.score;

import dev.braid.api.score.ScoreConfig;
import dev.braid.api.score.Scoring;
import dev.braid.connectors.record.RecordForm;
import dev.braid.connectors.topic.StreamBound;
import dev.braid.connectors.topic.StreamTopic;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.KafkaSourceBuilder;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.TopicPartition;

/**
 * A job that scores the records of a topic into another topic, each exactly once.
 *
 * @param in topic of the records
 * @param out topic of the scores
 * @param form format of the records, from which their features are read
 * @param from position at which it starts to read
 * @param until position at which it ends; empty for no end
 * @param config choice of the versions that score
 */
record ScoreJob(
    StreamTopic in,
    StreamTopic out,
    RecordForm form,
    StreamBound from,
    Optional<StreamBound> until,
    ScoreConfig config) {

  /** Time-out of transactions, the longest that brokers allow by default. */
  private static final Duration TRANSACTION = Duration.ofMinutes(15);

  /** Returns the job with other bounds. */
  ScoreJob between(StreamBound newFrom, Optional<StreamBound> newUntil) {
    return new ScoreJob(in, out, form, newFrom, newUntil, config);
  }

  String name() {
    return "braid score: " + in.name() + " to " + out.name();
  }

  void build(StreamExecutionEnvironment env) {
    KafkaSourceBuilder<TopicRecord> source =
        KafkaSource.<TopicRecord>builder()
            .setTopics(in.name())
            .setProperties(in.adminProperties())
            .setProperty("isolation.level", "read_committed")
            .setStartingOffsets(offsets(from))
            .setDeserializer(new TopicRecord.Reader());
    until.ifPresent(it -> source.setBounded(offsets(it)));
    Scoring.attach(
            env.fromSource(
                    source.build(), WatermarkStrategy.noWatermarks(), "Records of " + in.name())
                .uid("records"),
            config,
            new RecordFeatures(form),
            ScoreJob::key,
            new TopicScore.Form(),
            TypeInformation.of(TopicScore.class))
        .uid("score")
        .sinkTo(sink())
        .name("Scores to " + out.name())
        .uid("scores");
  }

  private static Optional<byte[]> key(TopicRecord record) {
    return Optional.ofNullable(record.key());
  }

  private KafkaSink<TopicScore> sink() {
    Properties properties = out.adminProperties();
    properties.setProperty(
        ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, Long.toString(TRANSACTION.toMillis()));
    return KafkaSink.<TopicScore>builder()
        .setKafkaProducerConfig(properties)
        .setRecordSerializer(new TopicScore.Writer(out.name()))
        .setDeliveryGuarantee(DeliveryGuarantee.EXACTLY_ONCE)
        .setTransactionalIdPrefix("braid-score-" + in.name() + "-" + out.name())
        .build();
  }

  private OffsetsInitializer offsets(StreamBound bound) {
    if (bound instanceof StreamBound.Earliest) {
      return OffsetsInitializer.earliest();
    } else if (bound instanceof StreamBound.Latest) {
      return OffsetsInitializer.latest();
    } else if (bound instanceof StreamBound.AtTime time) {
      return OffsetsInitializer.timestamp(time.epochMillis());
    }
    Map<TopicPartition, Long> offsets =
        ((StreamBound.Offsets) bound)
            .offsets().entrySet().stream()
                .collect(
                    Collectors.toMap(
                        it -> new TopicPartition(in.name(), it.getKey()), Map.Entry::getValue));
    return OffsetsInitializer.offsets(offsets);
  }
}
