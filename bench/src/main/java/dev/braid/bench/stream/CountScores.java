package dev.braid.bench.stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Counts the committed scores of each record of a topic. */
public final class CountScores {

  private static final Duration POLL = Duration.ofMillis(100);

  private CountScores() {}

  /**
   * Prints a JSON object: the number of records, how many of them have one score and more than one
   * score, and the versions that the scores name. The arguments are the brokers, the topic of the
   * records, and the topic of the scores.
   */
  public static void main(String[] args) throws IOException {
    Properties settings = new Properties();
    settings.put("bootstrap.servers", args[0]);
    settings.put("isolation.level", "read_committed");
    Map<String, Integer> counts = new HashMap<>();
    TreeSet<String> versions = new TreeSet<>();
    ObjectMapper json = new ObjectMapper();
    long records;
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      records =
          consumer.endOffsets(partitions(consumer, args[1])).values().stream()
              .mapToLong(Long::longValue)
              .sum();
      List<TopicPartition> partitions = partitions(consumer, args[2]);
      // The end of what is committed: no open transaction is before it.
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      while (ends.entrySet().stream()
          .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
        for (ConsumerRecord<byte[], byte[]> score : consumer.poll(POLL)) {
          JsonNode read = json.readTree(score.value());
          String record = read.get("partition").asText() + ":" + read.get("offset").asText();
          counts.merge(record, 1, Integer::sum);
          versions.add(read.path("version").asText("none"));
        }
      }
    }
    long once = counts.values().stream().filter(count -> count == 1).count();
    System.out.println(
        json.writeValueAsString(
            Map.of(
                "records", records,
                "once", once,
                "more", counts.size() - once,
                "versions", versions)));
  }

  private static List<TopicPartition> partitions(
      KafkaConsumer<byte[], byte[]> consumer, String topic) {
    return consumer.partitionsFor(topic).stream()
        .map(it -> new TopicPartition(topic, it.partition()))
        .toList();
  }
}
