package dev.braid.api;

import dev.braid.api.sample.Encoder;
import dev.braid.api.score.Scored;
import dev.braid.api.score.Scoring;
import dev.braid.api.score.ServedVersions;
import dev.braid.run.scoring.RecordKey;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/**
 * Entry point of the API: trains neural networks in Flink jobs, and scores records with them.
 *
 * <pre>{@code
 * Training training =
 *     Braid.training(Network.preset("mlp")).workers(4).optimizer(Optimizer.adam(0.001)).results("out");
 * training.fit(env, DataSet.at("mnist"), 10);
 * env.execute();
 * }</pre>
 */
@PublicEvolving
public final class Braid {

  private Braid() {}

  /** Returns a training of a network, with default settings. */
  public static Training training(Network network) {
    return new Training(new Settings(network));
  }

  /**
   * Scores the records of a stream with the published versions of a model. The operator has no
   * state: records that Flink replays after a failure are scored again.
   *
   * @param serving versions that score, such as {@code
   *     PublishedModels.at("s3://bucket/models").follow()}
   * @param encoder sets the features of a record, as in training; labels, values, weights and keys
   *     are ignored
   * @return each record with its score, in the order of the records
   */
  public static <T> SingleOutputStreamOperator<Scored<T>> score(
      DataStream<T> records, ServedVersions serving, Encoder<T> encoder) {
    return Scoring.attach(records, serving, encoder, RecordKey.none());
  }

  /**
   * Scores the records of a stream. A canary scores either all records with a key or none of them.
   *
   * @param key selects the key of a record, such as a customer
   * @see #score(DataStream, ServedVersions, Encoder)
   */
  public static <T> SingleOutputStreamOperator<Scored<T>> score(
      DataStream<T> records,
      ServedVersions serving,
      Encoder<T> encoder,
      KeySelector<T, String> key) {
    return Scoring.attach(records, serving, encoder, Scoring.key(key));
  }
}
