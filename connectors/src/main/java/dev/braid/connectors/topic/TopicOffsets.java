package dev.braid.connectors.topic;

import dev.braid.connectors.file.InvalidDataException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * The start and end offsets of a topic's partitions, as its brokers report them. The end is that of
 * committed records: a record of an open transaction is behind it.
 */
public final class TopicOffsets implements AutoCloseable {

  /** Longest wait for the answer of a broker. */
  public static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final Duration CLOSING = Duration.ofSeconds(1);

  private final StreamTopic topic;
  private Optional<Admin> admin = Optional.empty();

  /** Creates a client, which looks up and connects to brokers at the first request. */
  public TopicOffsets(StreamTopic topic) {
    this.topic = topic;
  }

  /**
   * Returns Kafka's client.
   *
   * @throws InvalidDataException if the properties are invalid for a client
   * @throws IOException if no broker's host has an address
   */
  synchronized Admin admin() throws IOException {
    try {
      admin = admin.or(() -> Optional.of(Admin.create(topic.adminProperties())));
    } catch (KafkaException e) {
      throw TopicFailure.of(topic.toString(), e);
    }
    return admin.get();
  }

  /**
   * Description of a topic.
   *
   * @param id id that Kafka gave the topic when it was created
   * @param partitions number of partitions
   */
  public record Description(String id, int partitions) {}

  /**
   * Describes the topic.
   *
   * @throws InvalidDataException if there is no such topic, or brokers refuse access
   * @throws IOException if no broker answers
   */
  public Description describe() throws IOException {
    TopicDescription found =
        answer(admin().describeTopics(List.of(topic.name())).allTopicNames()).get(topic.name());
    return new Description(found.topicId().toString(), found.partitions().size());
  }

  /**
   * Describes the topic, if it exists.
   *
   * @throws InvalidDataException if brokers refuse access
   * @throws IOException if no broker answers
   */
  public Optional<Description> find() throws IOException {
    try {
      return Optional.of(describe());
    } catch (InvalidDataException e) {
      boolean isMissing =
          e.getCause() != null
              && e.getCause().getCause() instanceof UnknownTopicOrPartitionException;
      if (isMissing) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** Returns the first available offset of each partition. */
  public SortedMap<Integer, Long> starts(int partitions) throws IOException {
    return offsets(partitions, OffsetSpec.earliest());
  }

  /** Returns the offset after the last committed one of each partition. */
  public SortedMap<Integer, Long> ends(int partitions) throws IOException {
    return offsets(partitions, OffsetSpec.latest());
  }

  /**
   * Returns the offset of each partition at which reading begins or ends.
   *
   * @throws InvalidDataException if the bound names partitions that the topic does not have
   */
  public SortedMap<Integer, Long> at(StreamBound start, int partitions) throws IOException {
    if (start instanceof StreamBound.Earliest) {
      return starts(partitions);
    } else if (start instanceof StreamBound.Latest) {
      return ends(partitions);
    } else if (start instanceof StreamBound.AtTime time) {
      return atTime(time.epochMillis(), partitions);
    }
    SortedMap<Integer, Long> offsets = new TreeMap<>(((StreamBound.Offsets) start).offsets());
    if (!offsets.isEmpty() && offsets.lastKey() >= partitions) {
      throw new InvalidDataException(
          "partition %d of %s: it has the partitions 0 to %d"
              .formatted(offsets.lastKey(), topic, partitions - 1));
    }
    SortedMap<Integer, Long> all = starts(partitions);
    all.putAll(offsets);
    return all;
  }

  /**
   * Returns the first offsets at or after a time. For a partition without such a record, returns
   * its current end.
   */
  private SortedMap<Integer, Long> atTime(long epochMillis, int partitions) throws IOException {
    SortedMap<Integer, Long> offsets = offsets(partitions, OffsetSpec.forTimestamp(epochMillis));
    SortedMap<Integer, Long> ends = ends(partitions);
    offsets.replaceAll((partition, offset) -> offset < 0 ? ends.get(partition) : offset);
    return offsets;
  }

  private SortedMap<Integer, Long> offsets(int partitions, OffsetSpec which) throws IOException {
    Map<TopicPartition, OffsetSpec> asked =
        IntStream.range(0, partitions)
            .mapToObj(partition -> new TopicPartition(topic.name(), partition))
            .collect(Collectors.toMap(it -> it, it -> which));
    Map<TopicPartition, ListOffsetsResultInfo> found =
        answer(
            admin()
                .listOffsets(asked, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
                .all());
    SortedMap<Integer, Long> offsets = new TreeMap<>();
    found.forEach((partition, info) -> offsets.put(partition.partition(), info.offset()));
    return offsets;
  }

  private <T> T answer(KafkaFuture<T> asked) throws IOException {
    return answer(topic, asked);
  }

  /**
   * Waits for a broker's answer.
   *
   * @param topic the topic of the request, for messages
   * @throws InvalidDataException if there is no such topic, or brokers refuse access
   * @throws IOException if no broker answers
   */
  static <T> T answer(StreamTopic topic, KafkaFuture<T> asked) throws IOException {
    try {
      return asked.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(topic + ": interrupted", e);
    } catch (TimeoutException e) {
      throw new IOException(topic + ": no broker answers", e);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof UnknownTopicOrPartitionException
          || cause instanceof InvalidTopicException) {
        throw new InvalidDataException(topic + ": no such topic", e);
      }
      if (cause instanceof AuthorizationException || cause instanceof AuthenticationException) {
        throw new InvalidDataException(topic + ": refused: " + cause.getMessage(), e);
      }
      throw new IOException(topic + ": " + TopicFailure.reason(cause), e);
    }
  }

  @Override
  public synchronized void close() {
    admin.ifPresent(it -> it.close(CLOSING));
  }
}
