package dev.braid.job;

import dev.braid.job.report.Outcome;
import dev.braid.job.report.Status;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.core.execution.JobClient;

/** Follows a job to its end, and shows how it goes. */
final class JobWatch {

  private static final long POLL_MILLIS = 300;

  private final JobClient job;
  private final ProgressView view;
  private final OptionalInt slots;

  /**
   * @param slots how many the job needs, where it may have to wait for them
   */
  JobWatch(JobClient job, ProgressView view, OptionalInt slots) {
    this.job = job;
    this.view = view;
    this.slots = slots;
  }

  /**
   * Waits for the job.
   *
   * @return how it ended, as it reported
   * @throws ExecutionException if it failed or was cancelled
   */
  Outcome follow() throws InterruptedException, ExecutionException {
    CompletableFuture<JobExecutionResult> result = job.getJobExecutionResult();
    while (true) {
      try {
        return conclude(result.get(POLL_MILLIS, TimeUnit.MILLISECONDS));
      } catch (TimeoutException e) {
        poll()
            .ifPresentOrElse(
                status -> view.show(status, System.nanoTime()),
                () -> slots.ifPresent(needed -> view.showNothing(needed, System.nanoTime())));
      }
    }
  }

  private Outcome conclude(JobExecutionResult result) {
    Status last = status(result.getAllAccumulatorResults()).orElseThrow();
    view.show(last, System.nanoTime());
    return last.outcome().orElseThrow();
  }

  private Optional<Status> poll() throws InterruptedException {
    try {
      return status(job.getAccumulators().get(POLL_MILLIS, TimeUnit.MILLISECONDS));
    } catch (ExecutionException | TimeoutException e) {
      // Between two attempts of the job, or too busy: the next poll will tell.
      return Optional.empty();
    }
  }

  private static Optional<Status> status(Map<String, Object> accumulators) {
    return Optional.ofNullable(accumulators.get(Status.ACCUMULATOR))
        .map(Object::toString)
        .filter(json -> !json.isEmpty())
        .map(Status::parse);
  }
}
