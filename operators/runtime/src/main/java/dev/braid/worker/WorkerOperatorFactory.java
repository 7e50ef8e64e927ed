package dev.braid.worker;

import dev.braid.learner.Batch;
import dev.braid.loop.LoopOperator;
import dev.braid.loop.LoopOperatorFactory;
import dev.braid.loop.MissingLibraryException;
import dev.braid.loop.envelope.Envelope;
import java.io.IOException;
import java.io.ObjectInputStream;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;

/** Creates the workers of a run. */
public final class WorkerOperatorFactory extends LoopOperatorFactory<Batch> {

  private static final long serialVersionUID = 1L;

  private final WorkerConfig config;

  /** Creates a factory whose workers all have the same configuration. */
  public WorkerOperatorFactory(WorkerConfig config) {
    super(config.stopping(), config.options().dedicatedServers());
    this.config = config;
  }

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    MissingLibraryException.check(WorkerConfig.LIBRARIES);
    in.defaultReadObject();
  }

  @Override
  protected LoopOperator<Batch> create(StreamOperatorParameters<Envelope> parameters) {
    return new WorkerOperator(parameters, config);
  }

  @Override
  @SuppressWarnings("rawtypes")
  public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
    return WorkerOperator.class;
  }
}
