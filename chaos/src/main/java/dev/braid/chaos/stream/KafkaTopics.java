package dev.braid.chaos.stream;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Operations of the command line on topics. All of them wait some seconds for the broker, so no
 * task may call them.
 */
public final class KafkaTopics {

  static final Duration PATIENCE = Duration.ofSeconds(8);
  private static final String API_TIMEOUT = "default.api.timeout.ms";
  private static final Duration POLL = Duration.ofMillis(200);

  private KafkaTopics() {}

  /** A list of lines that grows. */
  public interface Lines extends AutoCloseable {
    /** Adds a line. */
    void add(String line) throws BrokerAwayException;

    @Override
    void close();
  }

  /**
   * Returns the offsets at which a training begins to read a topic, by partition. Also checks that
   * it may read the topic and write what happens to events; the job would find that out later and
   * repeatedly. Topics that do not exist are created with one partition, which keeps events in
   * order.
   *
   * @param earliest whether to begin at the beginning of the topic; else at its end
   * @throws BrokerAwayException if no broker responds, or it refuses
   */
  public static Map<Integer, Long> offsets(KafkaTopic topic, boolean earliest)
      throws BrokerAwayException {
    Map<Integer, Long> offsets =
        asking(
            topic,
            admin ->
                offsets(
                    admin,
                    topic,
                    made(admin, topic, AclOperation.READ, 1),
                    earliest ? OffsetSpec.earliest() : OffsetSpec.latest()));
    for (KafkaTopic log : List.of(topic.applied(), topic.deadLetters())) {
      var unused = asking(log, admin -> made(admin, log, AclOperation.WRITE, 1));
    }
    return offsets;
  }

  /**
   * Returns the number of partitions of a topic that this client may write. A topic that does not
   * exist yet is created. All partitions are ready for records when this method returns.
   *
   * <p>A producer that has several requests in flight must not write to a partition before its
   * leader has it: the leader may refuse the first request and take the second, and then refuses
   * the first one for good, since its sequence number is out of order (KAFKA-15591). A leader that
   * returns an offset has the partition.
   *
   * @param partitions number of partitions of a topic that is created; an existing one keeps its
   *     own
   * @throws BrokerAwayException if no broker responds, or it refuses
   */
  static int writable(KafkaTopic topic, int partitions) throws BrokerAwayException {
    return asking(
            topic,
            admin ->
                offsets(
                    admin,
                    topic,
                    made(admin, topic, AclOperation.WRITE, partitions),
                    OffsetSpec.latest()))
        .size();
  }

  /** A request to an administration client, which throws the failure of its response. */
  private interface Question<T> {
    T answer(Admin admin) throws InterruptedException, ExecutionException, BrokerAwayException;
  }

  private static <T> T asking(KafkaTopic topic, Question<T> question) throws BrokerAwayException {
    try (Admin admin = Admin.create(patient(topic))) {
      return question.answer(admin);
    } catch (ExecutionException | KafkaException e) {
      throw new BrokerAwayException(topic, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BrokerAwayException(topic, e);
    }
  }

  /**
   * Returns offsets of partitions. The end is the position where a consumer stops: with {@code
   * read_committed}, before the first open transaction.
   */
  private static Map<Integer, Long> offsets(
      Admin admin, KafkaTopic topic, List<TopicPartition> partitions, OffsetSpec place)
      throws InterruptedException, ExecutionException {
    boolean isCommittedOnly =
        KafkaTopic.READ_COMMITTED.equals(
            topic.clientProperties().getProperty(KafkaTopic.ISOLATION));
    ListOffsetsOptions options =
        new ListOffsetsOptions(
            isCommittedOnly ? IsolationLevel.READ_COMMITTED : IsolationLevel.READ_UNCOMMITTED);
    Map<TopicPartition, OffsetSpec> wanted =
        partitions.stream().collect(Collectors.toMap(partition -> partition, partition -> place));
    Map<Integer, Long> offsets = new TreeMap<>();
    listOffsets(admin, wanted, options)
        .forEach((partition, found) -> offsets.put(partition.partition(), found.offset()));
    return offsets;
  }

  /** Returns offsets, and retries while a broker does not know a topic that was just created. */
  private static Map<TopicPartition, ListOffsetsResultInfo> listOffsets(
      Admin admin, Map<TopicPartition, OffsetSpec> wanted, ListOffsetsOptions options)
      throws InterruptedException, ExecutionException {
    long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        return admin.listOffsets(wanted, options).all().get();
      } catch (ExecutionException e) {
        boolean isUnknown = e.getCause() instanceof UnknownTopicOrPartitionException;
        if (!isUnknown || System.nanoTime() > deadlineNanos) {
          throw e;
        }
        Thread.sleep(POLL.toMillis());
      }
    }
  }

  private static List<TopicPartition> made(
      Admin admin, KafkaTopic topic, AclOperation operation, int partitions)
      throws InterruptedException, ExecutionException, BrokerAwayException {
    Optional<List<TopicPartition>> there = describe(admin, topic, operation);
    if (there.isPresent()) {
      return there.get();
    }
    NewTopic created = new NewTopic(topic.name(), Optional.of(partitions), Optional.empty());
    try {
      admin.createTopics(List.of(created)).all().get();
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof TopicExistsException)) {
        throw e;
      }
      // Another client has just created it, perhaps with another number of partitions.
      there = describe(admin, topic, operation);
    }
    return there.orElseGet(
        () ->
            IntStream.range(0, partitions)
                .mapToObj(partition -> new TopicPartition(topic.name(), partition))
                .toList());
  }

  private static List<TopicPartition> existing(
      Admin admin, KafkaTopic topic, AclOperation operation)
      throws InterruptedException, ExecutionException, BrokerAwayException {
    Optional<List<TopicPartition>> there = describe(admin, topic, operation);
    if (there.isPresent()) {
      return there.get();
    }
    Set<String> names = admin.listTopics().names().get();
    throw BrokerAwayException.notThere(
        topic,
        names.stream().filter(name -> names.contains(name + KafkaTopic.APPLIED_SUFFIX)).toList());
  }

  private static Optional<List<TopicPartition>> describe(
      Admin admin, KafkaTopic topic, AclOperation operation)
      throws InterruptedException, ExecutionException, BrokerAwayException {
    TopicDescription described;
    try {
      described =
          admin
              .describeTopics(
                  List.of(topic.name()),
                  new DescribeTopicsOptions().includeAuthorizedOperations(true))
              .allTopicNames()
              .get()
              .get(topic.name());
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        return Optional.empty();
      }
      throw e;
    }
    // A broker that is too old does not report the operations.
    boolean isAllowed =
        Optional.ofNullable(described.authorizedOperations())
            .map(allowed -> allowed.contains(operation))
            .orElse(true);
    if (!isAllowed) {
      throw BrokerAwayException.notAllowed(topic, operation);
    }
    return Optional.of(
        described.partitions().stream()
            .map(partition -> new TopicPartition(topic.name(), partition.partition()))
            .toList());
  }

  /**
   * Opens a topic for writing, with all preparations, so that the first line is as fast as the
   * next.
   *
   * @throws BrokerAwayException if no broker responds, it refuses, or it has no such topic
   */
  public static Lines write(KafkaTopic topic) throws BrokerAwayException {
    var unused = asking(topic, admin -> existing(admin, topic, AclOperation.WRITE));
    KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(patient(topic), new ByteArraySerializer(), new ByteArraySerializer());
    try {
      producer.partitionsFor(topic.name());
    } catch (KafkaException e) {
      producer.close(Duration.ZERO);
      throw new BrokerAwayException(topic, e);
    }
    return new Lines() {
      @Override
      public void add(String line) throws BrokerAwayException {
        try {
          producer.send(new ProducerRecord<>(topic.name(), utf8(line))).get();
        } catch (ExecutionException | KafkaException e) {
          throw new BrokerAwayException(topic, e);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new BrokerAwayException(topic, e);
        }
      }

      @Override
      public void close() {
        producer.close(PATIENCE);
      }
    };
  }

  /**
   * Returns all lines of a topic up to its current end, in the order in which they were written.
   * Lines of several partitions are ordered by their timestamps.
   *
   * @throws BrokerAwayException if no broker responds, it refuses, or it has no such topic
   */
  public static List<String> read(KafkaTopic topic) throws BrokerAwayException {
    Map<Integer, Long> ends =
        asking(
            topic,
            admin ->
                offsets(
                    admin, topic, existing(admin, topic, AclOperation.READ), OffsetSpec.latest()));
    List<TopicPartition> partitions =
        ends.keySet().stream()
            .map(partition -> new TopicPartition(topic.name(), partition))
            .toList();
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            patient(topic), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      long progressNanos = System.nanoTime();
      long reached = 0;
      // Transaction markers and aborted records advance the position without a record.
      while (partitions.stream()
          .anyMatch(each -> consumer.position(each) < ends.get(each.partition()))) {
        if (System.nanoTime() - progressNanos > PATIENCE.toNanos()) {
          throw new TimeoutException("no record arrived for " + PATIENCE.toSeconds() + " s");
        }
        consumer.poll(POLL).forEach(records::add);
        long now = partitions.stream().mapToLong(consumer::position).sum();
        if (now > reached) {
          progressNanos = System.nanoTime();
          reached = now;
        }
      }
    } catch (KafkaException e) {
      throw new BrokerAwayException(topic, e);
    }
    if (partitions.size() > 1) {
      records.sort(Comparator.comparingLong(ConsumerRecord::timestamp));
    }
    return records.stream()
        .filter(line -> line.value() != null)
        .map(line -> new String(line.value(), StandardCharsets.UTF_8))
        .toList();
  }

  /**
   * Returns how long to wait for a broker that does not respond: the user's setting, or some
   * seconds.
   */
  public static Duration patience(KafkaTopic topic) {
    try {
      return Duration.ofMillis(Long.parseLong(patient(topic).getProperty(API_TIMEOUT)));
    } catch (NumberFormatException e) {
      // Kafka refuses such a setting at once.
      return PATIENCE;
    }
  }

  private static byte[] utf8(String line) {
    return line.getBytes(StandardCharsets.UTF_8);
  }

  private static Properties patient(KafkaTopic topic) {
    Properties all = topic.clientProperties();
    String millis = Long.toString(PATIENCE.toMillis());
    all.putIfAbsent(API_TIMEOUT, millis);
    all.putIfAbsent("request.timeout.ms", Long.toString(PATIENCE.toMillis() / 2));
    all.putIfAbsent("max.block.ms", millis);
    all.putIfAbsent("delivery.timeout.ms", millis);
    all.putIfAbsent("linger.ms", "0");
    return all;
  }
}
