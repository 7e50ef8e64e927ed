package dev.braid.loop;

import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;

/** Determines whether a job takes checkpoints, which a runtime context does not provide. */
public final class JobCheckpoints {

  private JobCheckpoints() {}

  /** Returns whether the job of an operator takes checkpoints. */
  public static boolean areEnabled(StreamOperatorParameters<?> parameters) {
    return CheckpointingOptions.isCheckpointingEnabled(
        parameters.getContainingTask().getJobConfiguration());
  }
}
