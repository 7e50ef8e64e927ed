package dev.braid.job.train;

import dev.braid.job.rest.CheckpointSight;
import dev.braid.job.rest.JobFailure;
import dev.braid.run.result.Status;
import java.time.Duration;
import java.util.Optional;

/** The end of a job, as a client that followed it has seen it. */
sealed interface JobEnd {

  /**
   * Training ended, and the job has reported its result.
   *
   * @param host host of the results, if the job has reported it
   */
  record Trained(Status status, Optional<String> host) implements JobEnd {}

  /** The job failed without results except its checkpoints. */
  record Failed(JobFailure failure, CheckpointSight checkpoints) implements JobEnd {}

  /** A user cancelled the job. */
  record Cancelled(CheckpointSight checkpoints) implements JobEnd {}

  /** A user stopped the job with a savepoint. */
  record Stopped(CheckpointSight checkpoints) implements JobEnd {}

  /**
   * The cluster no longer knows the job.
   *
   * @param checkpoints last known state
   */
  record Lost(CheckpointSight checkpoints) implements JobEnd {}

  /**
   * The cluster has not answered until the client's time-out. The job may still run.
   *
   * @param checkpoints last known state
   * @param silence time without an answer
   */
  record Unanswered(CheckpointSight checkpoints, Duration silence) implements JobEnd {}
}
