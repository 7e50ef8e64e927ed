package dev.braid.api.score;

import dev.braid.run.scoring.FeatureForm;
import dev.braid.run.scoring.RecordKey;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;

/** Makes operators that score records. */
final class ScoreOperatorFactory<T> extends AbstractStreamOperatorFactory<Scored<T>>
    implements OneInputStreamOperatorFactory<T, Scored<T>> {

  private static final long serialVersionUID = 1L;

  private final ScoreConfig config;
  private final FeatureForm<T> form;
  private final RecordKey<T> key;

  ScoreOperatorFactory(ScoreConfig config, FeatureForm<T> form, RecordKey<T> key) {
    this.config = config;
    this.form = form;
    this.key = key;
  }

  @Override
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  public <O extends StreamOperator<Scored<T>>> O createStreamOperator(
      StreamOperatorParameters<Scored<T>> parameters) {
    return (O) new ScoreOperator<>(parameters, config, form, key);
  }

  @Override
  @SuppressWarnings("rawtypes")
  public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
    return ScoreOperator.class;
  }
}
