package dev.braid.job.train;

import dev.braid.chaos.FaultReport;
import dev.braid.job.report.ResultsNotWrittenException;
import dev.braid.job.result.Status;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.core.execution.JobClient;

/**
 * Follows a job to its end, and shows how it goes.
 *
 * <p>Flink ends a job with a last checkpoint, and tries for ever where that cannot be written, as
 * on a disk that is full. By then the results are written, and nothing is lost without it: a job
 * that is this process's own is cancelled.
 */
final class JobWatch {

  private static final long POLL_MILLIS = 300;
  private static final long LAST_CHECKPOINT_NANOS = 15_000_000_000L;

  private final JobClient job;
  private final ProgressView view;
  private final OptionalInt slots;
  private final Optional<LivePage> page;
  private OptionalLong concludedNanos = OptionalLong.empty();

  private JobWatch(JobClient job, ProgressView view, Optional<LivePage> page, OptionalInt slots) {
    this.job = job;
    this.page = page;
    this.view = view;
    this.slots = slots;
  }

  /** Follows a job that ends with this process. */
  static JobWatch ofOwnJob(JobClient job, ProgressView view, Optional<LivePage> page) {
    return new JobWatch(job, view, page, OptionalInt.empty());
  }

  /**
   * Follows a job of a cluster.
   *
   * @param slots how many it needs, and may have to wait for
   */
  static JobWatch ofClusterJob(JobClient job, ProgressView view, int slots) {
    return new JobWatch(job, view, Optional.empty(), OptionalInt.of(slots));
  }

  /**
   * Waits for the job.
   *
   * @return how it ended, as it reported
   * @throws ExecutionException if it failed or was cancelled, with nothing to show for it
   */
  Status follow() throws InterruptedException, ExecutionException {
    CompletableFuture<JobExecutionResult> result = job.getJobExecutionResult();
    while (true) {
      try {
        return conclude(result.get(POLL_MILLIS, TimeUnit.MILLISECONDS));
      } catch (ExecutionException e) {
        Optional<Status> trained =
            ResultsNotWrittenException.in(e).flatMap(ResultsNotWrittenException::status);
        if (trained.isPresent()) {
          long nowNanos = System.nanoTime();
          page.ifPresent(it -> it.show(trained.get(), nowNanos));
          view.showEvaluations(trained.get(), nowNanos);
          return trained.get();
        }
        throw e;
      } catch (TimeoutException e) {
        Map<String, Object> accumulators = poll();
        Optional<Status> status = status(accumulators);
        faults(accumulators).ifPresent(this::showFaults);
        show(status, System.nanoTime());
        if (slots.isEmpty() && isOverdue(status, System.nanoTime())) {
          job.cancel().get();
          return status.orElseThrow();
        }
      }
    }
  }

  private void showFaults(FaultReport faults) {
    long nowNanos = System.nanoTime();
    view.showFaults(faults, nowNanos);
    page.ifPresent(it -> it.showFaults(faults, nowNanos));
  }

  private void show(Optional<Status> status, long nowNanos) {
    status.ifPresent(known -> page.ifPresent(it -> it.show(known, nowNanos)));
    status.ifPresentOrElse(
        known -> view.show(known, nowNanos),
        () -> slots.ifPresent(needed -> view.showNothing(needed, nowNanos)));
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

  private Status conclude(JobExecutionResult result) {
    Status last = status(result.getAllAccumulatorResults()).orElseThrow();
    show(Optional.of(last), System.nanoTime());
    return last;
  }

  private Map<String, Object> poll() throws InterruptedException {
    try {
      return job.getAccumulators().get(POLL_MILLIS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      // Between two attempts of the job, or too busy: the next poll will tell.
      return Map.of();
    }
  }

  private static Optional<FaultReport> faults(Map<String, Object> accumulators) {
    return Optional.ofNullable(accumulators.get(FaultReport.ACCUMULATOR))
        .map(Object::toString)
        .map(FaultReport::parse);
  }

  private static Optional<Status> status(Map<String, Object> accumulators) {
    return Optional.ofNullable(accumulators.get(Status.ACCUMULATOR))
        .map(Object::toString)
        .filter(json -> !json.isEmpty())
        .map(Status::parse);
  }
}
