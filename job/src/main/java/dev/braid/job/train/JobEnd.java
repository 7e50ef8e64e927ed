package dev.braid.job.train;

import dev.braid.job.rest.CheckpointSight;
import dev.braid.job.rest.JobFailure;
import dev.braid.run.result.Status;
import java.time.Duration;
import java.util.Optional;

/** How a job has ended, as whoever followed it has seen it. */
sealed interface JobEnd {

  /**
   * It has told how training ended.
   *
   * @param host where its results are, if it has said so
   */
  record Trained(Status status, Optional<String> host) implements JobEnd {}

  /** It failed, with nothing to show for it but its checkpoints. */
  record Failed(JobFailure failure, CheckpointSight checkpoints) implements JobEnd {}

  /** Somebody cancelled it. */
  record Cancelled(CheckpointSight checkpoints) implements JobEnd {}

  /** Somebody stopped it, with a savepoint. */
  record Stopped(CheckpointSight checkpoints) implements JobEnd {}

  /**
   * The cluster does not know it any more.
   *
   * @param checkpoints what was known of them
   */
  record Lost(CheckpointSight checkpoints) implements JobEnd {}

  /**
   * The cluster has not answered until the client's time-out. The job may still run.
   *
   * @param checkpoints what was known of them
   * @param silence how long the cluster has not answered
   */
  record Unanswered(CheckpointSight checkpoints, Duration silence) implements JobEnd {}
}
