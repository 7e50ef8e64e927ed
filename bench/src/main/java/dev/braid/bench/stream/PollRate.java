package dev.braid.bench.stream;

import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Polls all records of a topic with one Kafka consumer, and discards them: an upper bound for a
 * worker with one consumer. Prints the records per second of the second half.
 */
public final class PollRate {

  private static final Duration POLL = Duration.ofMillis(200);

  private PollRate() {}

  /** Polls a topic; the arguments are the brokers and the topic. */
  public static void main(String[] args) {
    Properties settings = new Properties();
    settings.put("bootstrap.servers", args[0]);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          IntStream.range(0, consumer.partitionsFor(args[1]).size())
              .mapToObj(partition -> new TopicPartition(args[1], partition))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      long all = consumer.endOffsets(partitions).values().stream().mapToLong(it -> it).sum();
      long half = 0;
      while (half < all / 2) {
        half += consumer.poll(POLL).count();
      }
      long startNanos = System.nanoTime();
      long rest = 0;
      while (half + rest < all) {
        rest += consumer.poll(POLL).count();
      }
      System.out.printf("%.0f%n", rest * 1e9 / (System.nanoTime() - startNanos));
    }
  }
}
