package dev.braid.loop;

import org.apache.flink.api.common.JobID;
import org.apache.flink.metrics.groups.OperatorCoordinatorMetricGroup;
import org.apache.flink.runtime.checkpoint.CheckpointCoordinator;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.operators.coordination.CoordinatorStore;
import org.apache.flink.runtime.operators.coordination.OperatorCoordinator;

/** What the loop's coordinator asks Flink for; anything else is an error. */
public record SimulatedContext(int currentParallelism) implements OperatorCoordinator.Context {

  @Override
  public JobID getJobID() {
    throw new UnsupportedOperationException();
  }

  @Override
  public OperatorID getOperatorId() {
    throw new UnsupportedOperationException();
  }

  @Override
  public OperatorCoordinatorMetricGroup metricGroup() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void failJob(Throwable cause) {
    throw new AssertionError(cause);
  }

  @Override
  public ClassLoader getUserCodeClassloader() {
    throw new UnsupportedOperationException();
  }

  @Override
  public CoordinatorStore getCoordinatorStore() {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean isConcurrentExecutionAttemptsSupported() {
    return false;
  }

  @Override
  public CheckpointCoordinator getCheckpointCoordinator() {
    throw new UnsupportedOperationException();
  }
}
