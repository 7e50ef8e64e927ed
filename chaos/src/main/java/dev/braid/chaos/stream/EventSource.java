package dev.braid.chaos.stream;

import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.event.EventReader;
import dev.braid.chaos.event.InvalidEventException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.connector.kafka.source.enumerator.subscriber.KafkaSubscriber;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.admin.AdminClient;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Source of a run's events. */
public sealed interface EventSource extends Serializable {

  /** Returns a title that identifies the events: other events have another title. */
  String title();

  /** Adds the source to a job. */
  SingleOutputStreamOperator<RawEvent> read(StreamExecutionEnvironment env);

  /**
   * Returns the events that are known before the job begins, so that the links need not wait for
   * them. An event of a round then cannot come too late for the round.
   */
  default List<ChaosEvent> known() {
    return List.of();
  }

  /**
   * Lines of a file. They are serialized with the job, so no other machine needs access to the
   * file.
   *
   * @param lines all lines, at least one of which is not blank; blank ones count as lines, but are
   *     not events
   */
  record Lines(List<String> lines) implements EventSource {

    @Override
    public String title() {
      CRC32C sum = new CRC32C();
      sum.update(String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
      return "file of checksum " + Long.toHexString(sum.getValue());
    }

    /**
     * Returns why records are not events, or impossible ones for a number of ranks: a sentence
     * each, with the line.
     */
    public List<String> refused(int ranks) {
      List<String> reasons = new ArrayList<>();
      for (RawEvent raw : events()) {
        try {
          EventReader.read(raw.bytes()).checkFor(ranks);
        } catch (InvalidEventException e) {
          reasons.add(raw.origin().replace('/', ' ') + ": " + e.getMessage());
        }
      }
      return reasons;
    }

    /** Returns the number of records, valid or not. */
    public int size() {
      return events().size();
    }

    @Override
    public SingleOutputStreamOperator<RawEvent> read(StreamExecutionEnvironment env) {
      return env.fromData(events(), TypeInformation.of(RawEvent.class)).name("Chaos events");
    }

    @Override
    public List<ChaosEvent> known() {
      List<ChaosEvent> known = new ArrayList<>();
      for (RawEvent raw : events()) {
        try {
          known.add(raw.toEvent());
        } catch (InvalidEventException e) {
          // The desk reports it, in the dead letters.
        }
      }
      return known;
    }

    private List<RawEvent> events() {
      List<RawEvent> events = new ArrayList<>();
      for (int i = 0; i < lines.size(); i++) {
        if (!lines.get(i).isBlank()) {
          byte[] bytes = lines.get(i).getBytes(StandardCharsets.UTF_8);
          events.add(new RawEvent("line/" + (i + 1), bytes));
        }
      }
      return events;
    }
  }

  /**
   * A topic. Its partitions and start offsets are determined before the job begins, so the job
   * needs no broker to start, to resume or to recover: while the broker is unavailable there are no
   * events, and nothing else is affected. Partitions that are added later are found within half a
   * minute, and read from their beginning.
   *
   * @param topic the topic
   * @param offsets start offset of each partition
   */
  record Topic(KafkaTopic topic, TreeMap<Integer, Long> offsets) implements EventSource {

    private static final String CLOSE_MILLIS = "1000";
    private static final String DISCOVERY_MILLIS = "30000";

    /**
     * Time-out of a description of the topic, in ms; the end of the job waits for a pending one.
     */
    private static final int DESCRIBE_MILLIS = 5_000;

    @Override
    public String title() {
      return "topic " + topic.name();
    }

    /** Time-out that never fails: the consumer's own thread waits for missing metadata. */
    private static final String NO_TIMEOUT_MILLIS = Integer.toString(Integer.MAX_VALUE);

    public Topic(KafkaTopic topic, Map<Integer, Long> offsets) {
      this(topic, new TreeMap<>(offsets));
    }

    @Override
    public SingleOutputStreamOperator<RawEvent> read(StreamExecutionEnvironment env) {
      KafkaSource<RawEvent> source =
          KafkaSource.<RawEvent>builder()
              .setProperties(properties())
              .setKafkaSubscriber(new Partitions(topic.name(), offsets.lastKey() + 1))
              .setStartingOffsets(new Starts(offsets))
              .setDeserializer(new Records())
              .build();
      return env.fromSource(
              new UntilLoopEnds<>(source), WatermarkStrategy.noWatermarks(), "Chaos events")
          .returns(TypeInformation.of(RawEvent.class));
    }

    private Properties properties() {
      Properties all = topic.clientProperties();
      all.putIfAbsent("default.api.timeout.ms", NO_TIMEOUT_MILLIS);
      all.putIfAbsent("partition.discovery.interval.ms", DISCOVERY_MILLIS);
      // The position is only in Flink's checkpoints.
      all.putIfAbsent("commit.offsets.on.checkpoint", "false");
      all.putIfAbsent("source.reader.close.timeout", CLOSE_MILLIS);
      return all;
    }

    /** Returns the existing partitions, or the known ones while no broker responds. */
    private record Partitions(String topic, int known) implements KafkaSubscriber {

      private static final Logger LOG = LoggerFactory.getLogger(Partitions.class);

      @Override
      public Set<TopicPartition> getSubscribedTopicPartitions(AdminClient admin) {
        return IntStream.range(0, Math.max(known, count(admin)))
            .mapToObj(partition -> new TopicPartition(topic, partition))
            .collect(Collectors.toSet());
      }

      /**
       * Returns the number of partitions, or 0 on failure: an exception here would fail the job.
       */
      private int count(AdminClient admin) {
        try {
          return admin
              .describeTopics(
                  List.of(topic), new DescribeTopicsOptions().timeoutMs(DESCRIBE_MILLIS))
              .allTopicNames()
              .get()
              .get(topic)
              .partitions()
              .size();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return 0;
        } catch (ExecutionException | KafkaException e) {
          LOG.info("topic {}: cannot check for new partitions", topic, e);
          return 0;
        }
      }
    }

    /**
     * Returns start offsets. A partition that is not known was added later, and is read completely.
     */
    // Flink's interface has a deprecated type of Kafka.
    @SuppressWarnings("deprecation")
    private record Starts(TreeMap<Integer, Long> offsets) implements OffsetsInitializer {

      @Override
      public Map<TopicPartition, Long> getPartitionOffsets(
          Collection<TopicPartition> partitions, PartitionOffsetsRetriever unused) {
        return partitions.stream()
            .collect(
                Collectors.toMap(
                    partition -> partition,
                    partition ->
                        offsets.getOrDefault(
                            partition.partition(), KafkaPartitionSplit.EARLIEST_OFFSET)));
      }

      @Override
      public OffsetResetStrategy getAutoOffsetResetStrategy() {
        return OffsetResetStrategy.EARLIEST;
      }
    }

    private static final class Records implements KafkaRecordDeserializationSchema<RawEvent> {

      private static final long serialVersionUID = 1L;

      @Override
      public void deserialize(ConsumerRecord<byte[], byte[]> from, Collector<RawEvent> out) {
        String origin = from.topic() + "/" + from.partition() + "/" + from.offset();
        out.collect(new RawEvent(origin, from.value() == null ? new byte[0] : from.value()));
      }

      @Override
      public TypeInformation<RawEvent> getProducedType() {
        return TypeInformation.of(RawEvent.class);
      }
    }
  }
}
