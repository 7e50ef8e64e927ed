package dev.braid.api.score;

import dev.braid.api.sample.Encoder;
import dev.braid.connectors.record.InvalidRecordException;
import dev.braid.run.scoring.FeatureForm;
import dev.braid.run.scoring.RecordKey;
import dev.braid.run.scoring.ScoreForm;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/** Adds operators that score records to jobs. */
@Internal
public final class Scoring {

  private Scoring() {}

  /** Adds an operator that scores records whose features an encoder sets. */
  public static <T> SingleOutputStreamOperator<Scored<T>> attach(
      DataStream<T> records, ServedVersions serving, Encoder<T> encoder, RecordKey<T> key) {
    return attach(
        records,
        serving.config(),
        new EncoderForm<>(encoder),
        key,
        (record, score, names) -> new Scored<>(record, score),
        new ScoredType<>(records.getType()));
  }

  /**
   * Adds an operator that scores records.
   *
   * @param form conversion of records to features
   * @param key selects the key that decides which records a canary scores
   * @param answer makes the value that the operator emits for a record
   * @param type type of the emitted values
   */
  public static <T, O> SingleOutputStreamOperator<O> attach(
      DataStream<T> records,
      ScoreConfig config,
      FeatureForm<T> form,
      RecordKey<T> key,
      ScoreForm<T, O> answer,
      TypeInformation<O> type) {
    return records.transform("Score", type, new ScoreOperatorFactory<>(config, form, key, answer));
  }

  /** Returns the keys that a program selects. */
  public static <T> RecordKey<T> key(KeySelector<T, String> selector) {
    return new SelectedKey<>(selector);
  }

  private record SelectedKey<T>(KeySelector<T, String> selector) implements RecordKey<T> {

    @Override
    public Optional<byte[]> of(T record) {
      try {
        return Optional.of(selector.getKey(record).getBytes(StandardCharsets.UTF_8));
      } catch (Exception e) {
        throw new InvalidRecordException("the key cannot be found: " + e);
      }
    }
  }
}
