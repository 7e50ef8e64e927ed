package dev.braid.api.score;

import dev.braid.run.scoring.FeatureForm;
import dev.braid.run.scoring.RecordKey;
import dev.braid.run.scoring.ScoreForm;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;

/** Creates operators that score records. */
final class ScoreOperatorFactory<T, O> extends AbstractStreamOperatorFactory<O>
    implements OneInputStreamOperatorFactory<T, O> {

  private static final long serialVersionUID = 1L;

  private final ScoreConfig config;
  private final FeatureForm<T> form;
  private final RecordKey<T> key;
  private final ScoreForm<T, O> answer;

  ScoreOperatorFactory(
      ScoreConfig config, FeatureForm<T> form, RecordKey<T> key, ScoreForm<T, O> answer) {
    this.config = config;
    this.form = form;
    this.key = key;
    this.answer = answer;
  }

  @Override
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  public <S extends StreamOperator<O>> S createStreamOperator(
      StreamOperatorParameters<O> parameters) {
    return (S) new ScoreOperator<>(parameters, config, form, key, answer);
  }

  @Override
  @SuppressWarnings("rawtypes")
  public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
    return ScoreOperator.class;
  }
}
