package dev.braid.run.report;

import dev.braid.loop.MissingLibraryException;
import dev.braid.worker.WorkerConfig;
import java.io.IOException;
import java.io.ObjectInputStream;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;

/** Creates the report's operator. */
final class ReportOperatorFactory extends AbstractStreamOperatorFactory<String> {

  private final ReportConfig config;
  private final int workers;

  ReportOperatorFactory(ReportConfig config, int workers) {
    this.config = config;
    this.workers = workers;
  }

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    MissingLibraryException.check(WorkerConfig.LIBRARIES);
    in.defaultReadObject();
  }

  @Override
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as Flink declares it
  public <T extends StreamOperator<String>> T createStreamOperator(
      StreamOperatorParameters<String> parameters) {
    return (T) new ReportOperator(parameters, config, workers);
  }

  @Override
  @SuppressWarnings("rawtypes") // as Flink declares it
  public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
    return ReportOperator.class;
  }
}
