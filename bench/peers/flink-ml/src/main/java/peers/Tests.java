package peers;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.ml.linalg.DenseVector;
import org.apache.flink.types.Row;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The last records of a topic's first partition, and the loss of a model on them. */
final class Tests {

  private Tests() {}

  static List<Row> read(String brokers, String topic, int features, int count) throws IOException {
    TopicPartition partition = new TopicPartition(topic, 0);
    List<Row> rows = new ArrayList<>();
    OnlineLogistic.AvroRow decoder = new OnlineLogistic.AvroRow(features);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", brokers),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.assign(List.of(partition));
      long end = consumer.endOffsets(List.of(partition)).get(partition);
      consumer.seek(partition, end - count);
      while (rows.size() < count) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofSeconds(1))) {
          rows.add(decoder.deserialize(record.value()));
        }
      }
    }
    return rows;
  }

  /** Returns the mean cross-entropy, in nats. */
  static double loss(DenseVector model, List<Row> rows) {
    double sum = 0;
    for (Row row : rows) {
      double[] x = ((DenseVector) row.getField(0)).values;
      double dot = 0;
      for (int i = 0; i < x.length; i++) {
        dot += x[i] * model.values[i];
      }
      double margin = (double) row.getField(1) > 0 ? dot : -dot;
      sum += margin > 0 ? Math.log1p(Math.exp(-margin)) : -margin + Math.log1p(Math.exp(margin));
    }
    return sum / rows.size();
  }
}
