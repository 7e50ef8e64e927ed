package dev.braid.bench.stream;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Measures the age of records when a consumer of committed records receives their scores. A score
 * has the timestamp of its record.
 */
public final class ScoreAges {

  private static final Duration POLL = Duration.ofMillis(50);
  private static final int MOST = 10_000_000;

  private ScoreAges() {}

  /**
   * Measures ages; the arguments are the brokers, the topic of the scores, seconds to skip, and
   * seconds to measure.
   */
  public static void main(String[] args) {
    Properties settings = new Properties();
    settings.put("bootstrap.servers", args[0]);
    settings.put("isolation.level", "read_committed");
    long startNanos = System.nanoTime();
    long skip = Long.parseLong(args[2]);
    long end = skip + Long.parseLong(args[3]);
    int[] ages = new int[MOST];
    int count = 0;
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(args[1]).stream()
              .map(it -> new TopicPartition(args[1], it.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToEnd(partitions);
      long seconds = 0;
      while (seconds < end) {
        boolean counts = seconds >= skip;
        for (ConsumerRecord<byte[], byte[]> score : consumer.poll(POLL)) {
          if (counts && count < MOST) {
            ages[count++] = (int) (System.currentTimeMillis() - score.timestamp());
          }
        }
        seconds = Duration.ofNanos(System.nanoTime() - startNanos).toSeconds();
      }
    }
    Arrays.sort(ages, 0, count);
    if (count == 0) {
      System.out.println("no scores came");
      return;
    }
    System.out.printf(
        "%d scores: median %d ms, 99th percentile %d ms%n",
        count, ages[count / 2], ages[(int) (count * 0.99)]);
  }
}
