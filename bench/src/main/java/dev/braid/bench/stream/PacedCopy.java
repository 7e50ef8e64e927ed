package dev.braid.bench.stream;

import dev.braid.chaos.stream.KafkaTopic;
import dev.braid.chaos.stream.TopicAppender;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Sends records of one topic to another at an even rate, repeatedly. It reads them first, so that a
 * record costs as little processor time as possible while training is measured.
 */
public final class PacedCopy {

  private static final int RECORDS = 20_000;
  private static final int PARTITIONS = 4;
  private static final Duration POLL = Duration.ofMillis(200);
  private static final byte[] NO_KEY = {};

  /**
   * Interval at which groups of records are sent, because waiting for each record costs more than
   * sending it.
   */
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private PacedCopy() {}

  /**
   * Copies records; the arguments are the brokers, the topic to read, the topic to write, records
   * per second, and the duration in seconds.
   */
  public static void main(String[] args) throws Exception {
    String brokers = args[0];
    List<byte[]> values = values(brokers, args[1]);
    double perSecond = Double.parseDouble(args[3]);
    long count = Math.round(perSecond * Double.parseDouble(args[4]));
    KafkaTopic to = new KafkaTopic(brokers, args[2], Map.of());
    try (TopicAppender appender = TopicAppender.open(to, PARTITIONS)) {
      System.out.println("sending");
      long startNanos = System.nanoTime();
      long sent = 0;
      while (sent < count) {
        double elapsed = (System.nanoTime() - startNanos) / 1e9;
        long due = Math.min(count, (long) (elapsed * perSecond));
        for (; sent < due; sent++) {
          appender.add((int) (sent % PARTITIONS), NO_KEY, values.get((int) (sent % values.size())));
        }
        TimeUnit.NANOSECONDS.sleep(TICK_NANOS);
      }
      appender.flush();
      double seconds = (System.nanoTime() - startNanos) / 1e9;
      System.out.printf("%d records in %.1f s%n", sent, seconds);
    }
  }

  private static List<byte[]> values(String brokers, String topic) {
    Properties properties = new Properties();
    properties.setProperty("bootstrap.servers", brokers);
    List<byte[]> values = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions = List.of(new TopicPartition(topic, 0));
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      long end = consumer.endOffsets(partitions).get(partitions.get(0));
      while (values.size() < Math.min(RECORDS, end)) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          values.add(record.value());
        }
      }
    }
    return values;
  }
}
