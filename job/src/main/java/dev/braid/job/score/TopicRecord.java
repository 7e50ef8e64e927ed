package dev.braid.job.score;

import java.io.IOException;
import javax.annotation.Nullable;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A record to score.
 *
 * @param partition number of the topic's partition
 * @param offset in the partition
 * @param key null if the record has none
 * @param value null if it deletes its key
 */
public record TopicRecord(
    int partition, long offset, @Nullable byte[] key, @Nullable byte[] value) {

  /** Deserializer that takes records as they are; scoring a record finds its errors. */
  static final class Reader implements KafkaRecordDeserializationSchema<TopicRecord> {

    private static final long serialVersionUID = 1L;

    @Override
    public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<TopicRecord> out)
        throws IOException {
      out.collect(
          new TopicRecord(record.partition(), record.offset(), record.key(), record.value()));
    }

    @Override
    public TypeInformation<TopicRecord> getProducedType() {
      return TypeInformation.of(TopicRecord.class);
    }
  }
}
