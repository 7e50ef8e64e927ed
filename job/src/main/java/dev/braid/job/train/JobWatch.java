package dev.braid.job.train;

import dev.braid.chaos.FaultReport;
import dev.braid.job.rest.CauseChain;
import dev.braid.job.rest.CheckpointSight;
import dev.braid.job.rest.JobFailure;
import dev.braid.job.rest.JobRest;
import dev.braid.job.rest.JobSight;
import dev.braid.job.rest.RestException;
import dev.braid.run.report.ResultsNotWrittenException;
import dev.braid.run.result.OutcomeText;
import dev.braid.run.result.Status;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.core.execution.JobClient;

/**
 * Watch that follows a job to its end and shows its progress. It queries the job by REST, both in
 * an embedded Flink and on a cluster. A cluster that does not answer is queried again until a
 * time-out: another JobManager may take over, and the job continues in the meantime.
 *
 * <p>Flink ends a job with a last checkpoint, and retries without end if that cannot be written, as
 * on a full disk. The results are written before, so nothing is lost without this checkpoint: a job
 * of this process is then cancelled.
 */
final class JobWatch {

  private static final long POLL_MILLIS = 300;
  private static final long LAST_CHECKPOINT_NANOS = 15_000_000_000L;

  /**
   * Time after which a job that the cluster does not know counts as lost. A JobManager that has
   * just taken over restores its jobs before it answers: if it does not know the job by then, it
   * never will.
   */
  private static final long UNKNOWN_NANOS = 5_000_000_000L;

  private final JobRest job;
  private final ProgressView view;
  private final Optional<LivePage> page;

  /** Client of a job that ends with this process. */
  private final Optional<JobClient> own;

  /** Longest time without an answer from a cluster. */
  private final Duration timeout;

  private long answeredNanos = System.nanoTime();
  private OptionalLong concludedNanos = OptionalLong.empty();
  private OptionalLong unknownNanos = OptionalLong.empty();
  private CheckpointSight checkpoints = CheckpointSight.NONE;

  /** End of the job, of which Flink may not have reported all details yet. */
  private Optional<JobEnd> newestEnd = Optional.empty();

  private JobWatch(
      JobRest job,
      ProgressView view,
      Optional<LivePage> page,
      Optional<JobClient> own,
      Duration timeout) {
    this.job = job;
    this.view = view;
    this.page = page;
    this.own = own;
    this.timeout = timeout;
  }

  /** Follows a job that ends with this process. */
  static JobWatch ofOwnJob(JobClient own, JobRest job, ProgressView view, Optional<LivePage> page) {
    // Flink runs in this process: one that does not answer is slow, or has ended.
    return new JobWatch(job, view, page, Optional.of(own), ChronoUnit.FOREVER.getDuration());
  }

  /**
   * Follows a job of a cluster.
   *
   * @param timeout longest time without an answer from the cluster
   */
  static JobWatch ofClusterJob(JobRest job, ProgressView view, Duration timeout) {
    return new JobWatch(job, view, Optional.empty(), Optional.empty(), timeout);
  }

  /** Waits for the end of the job. */
  JobEnd follow() throws InterruptedException, ExecutionException {
    Optional<CompletableFuture<JobExecutionResult>> result =
        own.map(JobClient::getJobExecutionResult);
    while (true) {
      try {
        Optional<JobEnd> end = look();
        if (end.isPresent()) {
          return end.get();
        }
      } catch (RestException e) {
        if (result.filter(CompletableFuture::isCompletedExceptionally).isPresent()) {
          // All of the embedded Flink has ended.
          return ofDeadFlink(result.get());
        }
        if (newestEnd.isPresent()) {
          // The cluster has ended with the job.
          return newestEnd.get();
        }
        if (isLost(e, System.nanoTime())) {
          return new JobEnd.Lost(checkpoints);
        }
        Duration silence = Duration.ofNanos(System.nanoTime() - answeredNanos);
        if (silence.compareTo(timeout) >= 0) {
          return new JobEnd.Unanswered(checkpoints, silence);
        }
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
  }

  /**
   * Queries the job once and shows its state.
   *
   * @return the end of the job; empty while it runs
   */
  Optional<JobEnd> look() throws RestException, InterruptedException, ExecutionException {
    JobSight sight = job.look(System.nanoTime());
    long nowNanos = System.nanoTime();
    answeredNanos = nowNanos;
    unknownNanos = OptionalLong.empty();
    checkpoints = sight.checkpoints();
    Optional<Status> status = status(sight.accumulators());
    faults(sight.accumulators()).ifPresent(faults -> showFaults(faults, nowNanos));
    view.showJob(sight, status.isPresent(), nowNanos);
    Optional<JobEnd> end = endOf(sight, status);
    // The verdict reports results that were not written.
    boolean isShown =
        !sight.hasFailed() || end.filter(JobEnd.Trained.class::isInstance).isPresent();
    if (isShown) {
      status.ifPresent(known -> show(known, nowNanos));
    }
    if (own.isPresent() && end.isEmpty() && isOverdue(status, nowNanos)) {
      own.get().cancel().get();
      return status.map(known -> new JobEnd.Trained(known, Optional.empty()));
    }
    newestEnd = end;
    return end.filter(it -> it instanceof JobEnd.Trained || sight.isSettled());
  }

  private Optional<JobEnd> endOf(JobSight sight, Optional<Status> status) {
    Optional<JobEnd> trained =
        status
            .filter(known -> known.outcome().isPresent())
            .map(
                known ->
                    new JobEnd.Trained(
                        known, Optional.ofNullable(sight.accumulators().get(OutcomeText.HOST))));
    if (sight.hasFinished()) {
      return trained.or(() -> Optional.of(new JobEnd.Stopped(sight.checkpoints())));
    }
    if (sight.wasCancelled()) {
      return Optional.of(new JobEnd.Cancelled(sight.checkpoints()));
    }
    if (sight.hasFailed()) {
      JobFailure failure = sight.lastFailure();
      boolean hasTrained =
          failure.causes().find(it -> it.is(ResultsNotWrittenException.class)).isPresent();
      return hasTrained && trained.isPresent()
          ? trained
          : Optional.of(new JobEnd.Failed(failure, sight.checkpoints()));
    }
    return Optional.empty();
  }

  private JobEnd ofDeadFlink(CompletableFuture<JobExecutionResult> result)
      throws InterruptedException {
    try {
      throw new IllegalStateException("a job that failed has a result: " + result.get());
    } catch (ExecutionException e) {
      return new JobEnd.Failed(new JobFailure(0, CauseChain.of(e), Optional.empty()), checkpoints);
    }
  }

  /** Returns whether the cluster has lost the job; otherwise shows why its state is unknown. */
  private boolean isLost(RestException answer, long nowNanos) {
    if (!answer.isUnknown()) {
      unknownNanos = OptionalLong.empty();
      view.showSilence(job.address(), answer.getMessage(), nowNanos);
      return false;
    }
    if (unknownNanos.isEmpty()) {
      unknownNanos = OptionalLong.of(nowNanos);
    }
    return nowNanos - unknownNanos.getAsLong() >= UNKNOWN_NANOS;
  }

  private void showFaults(FaultReport faults, long nowNanos) {
    view.showFaults(faults, nowNanos);
    page.ifPresent(it -> it.showFaults(faults, nowNanos));
  }

  private void show(Status status, long nowNanos) {
    page.ifPresent(it -> it.show(status, nowNanos));
    view.show(status, nowNanos);
  }

  private boolean isOverdue(Optional<Status> status, long nowNanos) {
    if (status.flatMap(Status::outcome).isEmpty()) {
      concludedNanos = OptionalLong.empty();
      return false;
    }
    if (concludedNanos.isEmpty()) {
      concludedNanos = OptionalLong.of(nowNanos);
    }
    return nowNanos - concludedNanos.getAsLong() > LAST_CHECKPOINT_NANOS;
  }

  private static Optional<FaultReport> faults(Map<String, String> accumulators) {
    return Optional.ofNullable(accumulators.get(FaultReport.ACCUMULATOR)).map(FaultReport::parse);
  }

  private static Optional<Status> status(Map<String, String> accumulators) {
    return Optional.ofNullable(accumulators.get(Status.ACCUMULATOR))
        .filter(json -> !json.isEmpty())
        .map(Status::parse);
  }
}
