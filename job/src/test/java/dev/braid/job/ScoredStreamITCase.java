package dev.braid.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.api.Braid;
import dev.braid.api.sample.Encoder;
import dev.braid.api.score.PublishedModels;
import dev.braid.api.score.Scored;
import dev.braid.connectors.registry.ModelVersion;
import dev.braid.connectors.registry.RegistryPlace;
import dev.braid.connectors.topic.StreamTopic;
import dev.braid.run.scoring.NumberedModels;
import dev.braid.worker.report.BraidMetric;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A stream is scored with versions from a registry in a topic while they are published. */
class ScoredStreamITCase {

  private static final String TOPIC = "scored-stream.models";

  @RegisterExtension static final FlinkExtension FLINK = new FlinkExtension();
  @RegisterExtension static final BrokerExtension BROKER = new BrokerExtension();

  /** The version that each of two workers used last, by the worker's index. */
  private static final Map<Integer, String> VERSIONS = new ConcurrentHashMap<>();

  private static final class Checked extends RichMapFunction<Scored<Long>, Long> {
    @Override
    public Long map(Scored<Long> scored) {
      long expected = scored.record() % 1000 + 1000L * ModelVersion.number(scored.version());
      if (scored.value() != expected) {
        throw new AssertionError(scored + ": " + expected);
      }
      int index = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
      VERSIONS.put(index, scored.version());
      return scored.record();
    }
  }

  /** Waits until both workers have scored a new record with this version. */
  private static void awaitBothUse(String version) {
    VERSIONS.clear();
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> VERSIONS.equals(Map.of(0, version, 1, version)));
  }

  @Test
  void versionsOfATopicAreFollowed() throws Exception {
    String address = BROKER.process().address();
    Configuration settings = new Configuration();
    settings.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(50));
    StreamExecutionEnvironment env = FLINK.environment(2, settings);
    DataGeneratorSource<Long> numbers =
        new DataGeneratorSource<>(
            number -> number, Long.MAX_VALUE, RateLimiterStrategy.perSecond(2000), Types.LONG);
    Encoder<Long> encoder =
        Encoder.ofValues(1, 1, (number, sample) -> sample.feature(0, (double) (number % 1000)));
    Braid.score(
            env.fromSource(numbers, WatermarkStrategy.noWatermarks(), "numbers"),
            PublishedModels.inTopic(address, TOPIC).follow(),
            encoder)
        .map(new Checked())
        .sinkTo(new DiscardingSink<>());
    Map<String, String> kafka = Map.of("bootstrap.servers", address);
    try (NumberedModels models =
        new NumberedModels(RegistryPlace.topic(new StreamTopic(TOPIC, kafka)).open())) {
      // The job starts before the registry exists, and waits.
      JobClient job = env.executeAsync();
      models.publish(1);
      awaitBothUse("v1");
      models.publish(2);
      awaitBothUse("v2");
      models.publish(3, Map.of(ModelVersion.MODEL, new byte[] {1, 2, 3}));
      Awaitility.await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> FLINK.counted(job.getJobID(), BraidMetric.REFUSED_VERSIONS) == 2);
      awaitBothUse("v2");
      models.registry().pin(OptionalInt.of(1));
      awaitBothUse("v1");
      assertThat(FLINK.counted(job.getJobID(), BraidMetric.VERSION_SWAPS)).isEqualTo(4);
      assertThat(FLINK.counted(job.getJobID(), BraidMetric.SCORING_ERRORS)).isZero();
      job.cancel().get();
    }
  }
}
