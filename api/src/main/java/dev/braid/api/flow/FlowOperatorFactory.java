package dev.braid.api.flow;

import dev.braid.api.sample.Encoder;
import dev.braid.learner.Batch;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperatorFactory;
import org.apache.flink.util.OutputTag;

/** Creates the operators that precede the workers of a run. */
final class FlowOperatorFactory<T> extends AbstractStreamOperatorFactory<Batch>
    implements TwoInputStreamOperatorFactory<T, Integer, Batch> {

  private static final long serialVersionUID = 1L;

  private final Encoder<T> encoder;
  private final FlowConfig config;
  private final OutputTag<Tuple2<T, String>> refused;

  FlowOperatorFactory(Encoder<T> encoder, FlowConfig config, OutputTag<Tuple2<T, String>> refused) {
    this.encoder = encoder;
    this.config = config;
    this.refused = refused;
  }

  @Override
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  public <O extends StreamOperator<Batch>> O createStreamOperator(
      StreamOperatorParameters<Batch> parameters) {
    return (O) new FlowOperator<>(parameters, encoder, config, refused);
  }

  @Override
  @SuppressWarnings("rawtypes")
  public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
    return FlowOperator.class;
  }
}
