package dev.braid.loop.coordinator;

import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;

/** Whether a job takes checkpoints. A runtime context does not say so. */
public final class JobCheckpoints {

  private JobCheckpoints() {}

  /** Returns whether the job of an operator takes checkpoints. */
  public static boolean areEnabled(StreamOperatorParameters<?> parameters) {
    return CheckpointingOptions.isCheckpointingEnabled(
        parameters.getContainingTask().getJobConfiguration());
  }
}
