package dev.braid.connectors.lineage;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.topic.StreamTopic;
import dev.braid.connectors.topic.TopicFailure;
import dev.braid.connectors.topic.TopicForm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;

/**
 * A lineage in a Kafka topic of one partition. The value of a record is an entry, its key is the
 * number of the entry.
 *
 * <p>Each append is a transaction. The transactional id is the topic's name, so that brokers reject
 * the transactions of every writer except the last one that has claimed the lineage.
 */
final class TopicLineage implements Lineage {

  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration CLOSING = Duration.ofSeconds(1);

  /**
   * Time-out for sending, and for committing. Both together are shorter than {@link
   * #TRANSACTION_MILLIS}: after that time, this writer would look like a replaced one.
   */
  private static final String WRITING_MILLIS = "20000";

  private static final String REQUEST_MILLIS = "8000";
  private static final String TRANSACTION_MILLIS = "60000";

  /**
   * Number of offsets before the end that are read first, and the factor by which it grows if they
   * are too few.
   */
  private static final long TAIL = 1_000;

  private static final long GROWTH = 8;

  private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");

  /** A record with the number of its entry. */
  private record Numbered(long number, ConsumerRecord<byte[], byte[]> line) {}

  private final StreamTopic topic;
  private final TopicPartition partition;
  private final Supplier<Consumer<byte[], byte[]>> consumers;
  private final Supplier<Producer<byte[], byte[]>> producers;
  private volatile Optional<Producer<byte[], byte[]>> producer = Optional.empty();
  private volatile boolean isClosed;
  private long size;

  /** Whether an append has failed, so that its entries may have been added or not. */
  private boolean isUncertain;

  /** Creates a lineage of size 0 with the given clients. */
  TopicLineage(
      StreamTopic topic,
      Supplier<Consumer<byte[], byte[]>> consumers,
      Supplier<Producer<byte[], byte[]>> producers) {
    this.topic = topic;
    this.partition = new TopicPartition(topic.name(), 0);
    this.consumers = consumers;
    this.producers = producers;
  }

  /**
   * Opens a topic to read it.
   *
   * @throws InvalidDataException if it does not exist, has several partitions or contains other
   *     records
   * @throws IOException if it cannot be read
   */
  static TopicLineage open(StreamTopic topic) throws IOException {
    TopicForm.LOG.requireThere(topic);
    TopicLineage lineage =
        new TopicLineage(
            topic,
            () -> new KafkaConsumer<>(topic.consumerProperties()),
            () -> new KafkaProducer<>(transactional(topic)));
    lineage.findSize();
    return lineage;
  }

  private static Properties transactional(StreamTopic topic) {
    Properties all = topic.producerProperties();
    all.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, topic.name());
    all.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
    all.put(ProducerConfig.ACKS_CONFIG, "all");
    all.put(ProducerConfig.LINGER_MS_CONFIG, "0");
    all.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, WRITING_MILLIS);
    all.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, WRITING_MILLIS);
    all.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_MILLIS);
    all.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, TRANSACTION_MILLIS);
    return all;
  }

  @Override
  public String place() {
    return topic.place();
  }

  @Override
  public long size() {
    return size;
  }

  // ---- reading ---------------------------------------------------------------------------------

  /** Determines the number of entries by the number of the last one. */
  void findSize() throws IOException {
    List<Numbered> tail = read(Long.MAX_VALUE);
    size = tail.isEmpty() ? 0 : tail.get(tail.size() - 1).number() + 1;
  }

  @Override
  public Optional<LineageEntry.Began> began() throws IOException {
    if (size == 0) {
      return Optional.empty();
    }
    try (Consumer<byte[], byte[]> consumer = assigned()) {
      Numbered first = readFrom(consumer, start(consumer), end(consumer), 1).get(0);
      requireNumber(first, 0);
      return Optional.of(Lineage.began(place(), entry(first)));
    } catch (KafkaException e) {
      throw failure(e);
    }
  }

  @Override
  public List<LineageEntry> entries(long from) throws IOException {
    List<Numbered> read = read(from);
    if (!read.isEmpty() && read.get(0).number() > from) {
      requireNumber(read.get(0), from);
    }
    return read.stream().filter(it -> it.number() >= from).map(this::entry).toList();
  }

  /**
   * Returns the last records, beginning with the given entry or an earlier one. At a restore the
   * entry is near the end of the topic, so the search goes backwards from the end.
   */
  private List<Numbered> read(long from) throws IOException {
    try (Consumer<byte[], byte[]> consumer = assigned()) {
      long start = start(consumer);
      long end = end(consumer);
      for (long back = TAIL; ; back *= GROWTH) {
        long first = Math.max(start, end - back);
        List<Numbered> read = readFrom(consumer, first, end, Integer.MAX_VALUE);
        if (first == start || (!read.isEmpty() && read.get(0).number() <= from)) {
          return read;
        }
      }
    } catch (KafkaException e) {
      throw failure(e);
    }
  }

  private Consumer<byte[], byte[]> assigned() {
    Consumer<byte[], byte[]> consumer = consumers.get();
    consumer.assign(List.of(partition));
    return consumer;
  }

  private long start(Consumer<byte[], byte[]> consumer) {
    return consumer.beginningOffsets(List.of(partition)).get(partition);
  }

  private long end(Consumer<byte[], byte[]> consumer) {
    return consumer.endOffsets(List.of(partition)).get(partition);
  }

  /**
   * Reads the records of offsets, some of which have none: transaction markers, and aborted
   * records.
   *
   * @param enough number of records after which reading stops
   */
  private List<Numbered> readFrom(
      Consumer<byte[], byte[]> consumer, long first, long end, int enough) throws IOException {
    List<Numbered> read = new ArrayList<>();
    consumer.seek(partition, first);
    long position = first;
    long progressNanos = System.nanoTime();
    while (position < end && read.size() < enough) {
      for (ConsumerRecord<byte[], byte[]> line : consumer.poll(POLL).records(partition)) {
        Numbered next = new Numbered(number(line), line);
        if (!read.isEmpty()) {
          requireNumber(next, read.get(read.size() - 1).number() + 1);
        }
        read.add(next);
      }
      long now = consumer.position(partition);
      if (now > position) {
        progressNanos = System.nanoTime();
      } else if (System.nanoTime() - progressNanos > PATIENCE.toNanos()) {
        throw new IOException(topic + ": no record arrived for " + PATIENCE.toSeconds() + " s");
      }
      position = now;
    }
    return read;
  }

  private long number(ConsumerRecord<byte[], byte[]> line) {
    String key = line.key() == null ? "" : new String(line.key(), StandardCharsets.UTF_8);
    if (line.value() == null || !NUMBER.matcher(key).matches()) {
      throw new InvalidDataException(
          at(line)
              + ": the record is not an entry of a lineage: use a topic that has only a lineage");
    }
    return Long.parseLong(key);
  }

  private void requireNumber(Numbered found, long expected) {
    if (found.number() != expected) {
      throw new InvalidDataException(
          "%s: entry %d of the lineage is expected, and entry %d is there"
              .formatted(at(found.line()), expected, found.number()));
    }
  }

  private LineageEntry entry(Numbered read) {
    return LineageEntry.parse(
        at(read.line()), new String(read.line().value(), StandardCharsets.UTF_8));
  }

  private String at(ConsumerRecord<byte[], byte[]> line) {
    return place() + ", offset " + line.offset();
  }

  // ---- writing ---------------------------------------------------------------------------------

  @Override
  public void claim() throws IOException {
    try {
      Producer<byte[], byte[]> claiming = producers.get();
      producer = Optional.of(claiming);
      if (isClosed) {
        close();
        throw new IOException(place() + ": closed");
      }
      // Ends the transaction of an earlier writer: afterwards, everything that it has committed is
      // readable.
      claiming.initTransactions();
    } catch (KafkaException | IllegalStateException e) {
      throw failure(e);
    }
    findSize();
  }

  @Override
  public void append(List<LineageEntry> entries) throws IOException {
    if (isUncertain) {
      throw new IOException(place() + ": an append has failed: open the lineage again");
    }
    Producer<byte[], byte[]> writer =
        producer.orElseThrow(() -> new IllegalStateException(place() + ": claim it first"));
    isUncertain = true;
    long next = size;
    try {
      writer.beginTransaction();
      for (LineageEntry entry : entries) {
        // The commit waits for this record, and fails if it has failed.
        var unused =
            writer.send(
                new ProducerRecord<>(
                    topic.name(), partition.partition(), utf8(next + ""), utf8(entry.toJson())));
        next++;
      }
      writer.commitTransaction();
    } catch (KafkaException | IllegalStateException e) {
      throw failure(e);
    }
    size = next;
    isUncertain = false;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Returns an exception for a temporary failure; throws one for a permanent failure. */
  private IOException failure(RuntimeException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof ProducerFencedException
          || cause instanceof InvalidProducerEpochException) {
        throw new InvalidDataException(
            place() + ": another process continues this lineage: run only one of them", failure);
      }
    }
    return TopicFailure.of(place(), failure);
  }

  @Override
  public void close() {
    isClosed = true;
    producer.ifPresent(it -> it.close(CLOSING));
  }
}
