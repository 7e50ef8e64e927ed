package dev.braid.job;

import dev.braid.job.options.Checkpoints;
import dev.braid.run.result.Evaluation;
import dev.braid.run.result.Status;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.StreamSupport;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.HeartbeatManagerOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.JobManagerOptions.SchedulerType;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.flink.runtime.executiongraph.AccessExecutionGraph;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.runtime.minicluster.MiniClusterJobClient;
import org.apache.flink.runtime.minicluster.MiniClusterJobClient.JobFinalizationBehavior;
import org.awaitility.Awaitility;

/** A Flink with several TaskManagers in this JVM, and the reports of its jobs. */
final class TrainingCluster implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final MiniCluster cluster;

  /**
   * Returns settings of a cluster that continues with as many workers as it has slots.
   *
   * @param restarts maximum number of restarts of a job
   */
  static Configuration adaptive(int restarts) {
    Configuration settings = new Configuration();
    settings.set(JobManagerOptions.SCHEDULER, SchedulerType.Adaptive);
    settings.set(
        JobManagerOptions.SCHEDULER_SUBMISSION_RESOURCE_STABILIZATION_TIMEOUT,
        Duration.ofSeconds(1));
    settings.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
    settings.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, restarts);
    settings.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(10));
    return settings;
  }

  /** Makes a running job use slots that become available within a tenth of a second. */
  static void rescalesSoon(Configuration settings) {
    String executing = "jobmanager.adaptive-scheduler.executing.";
    settings.setString(executing + "cooldown-after-rescaling", "100 ms");
    settings.setString(executing + "resource-stabilization-timeout", "100 ms");
  }

  TrainingCluster(Configuration settings, int taskManagers, int slotsOfEach) throws Exception {
    // Reports of a job arrive with heartbeats.
    settings.set(HeartbeatManagerOptions.HEARTBEAT_INTERVAL, Duration.ofMillis(20));
    cluster =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(settings)
                .setNumTaskManagers(taskManagers)
                .setNumSlotsPerTaskManager(slotsOfEach)
                .withRandomPorts()
                .build());
    cluster.start();
    // A TaskManager registers before its slots are known.
    await(
        () ->
            cluster.requestClusterOverview().join().getNumSlotsTotal()
                == taskManagers * slotsOfEach);
  }

  /** Submits a job. */
  JobClient submit(JobGraph graph) throws InterruptedException, ExecutionException {
    cluster.submitJob(graph).get();
    return new MiniClusterJobClient(
        graph.getJobID(),
        cluster,
        TrainingCluster.class.getClassLoader(),
        JobFinalizationBehavior.NOTHING);
  }

  /**
   * Returns whether the JobManager knows that all tasks of a job run; before that, it takes no
   * savepoint.
   */
  boolean allTasksRun(JobClient job) {
    return allTasksRun(cluster, job);
  }

  /** Returns whether the JobManager of a cluster knows that all tasks of a job run. */
  static boolean allTasksRun(MiniCluster cluster, JobClient job) {
    AccessExecutionGraph graph = cluster.getExecutionGraph(job.getJobID()).join();
    // A job that has only been submitted has no tasks yet.
    return graph.getState() == JobStatus.RUNNING
        && StreamSupport.stream(graph.getAllExecutionVertices().spliterator(), false)
            .allMatch(task -> task.getExecutionState() == ExecutionState.RUNNING);
  }

  void loseTaskManager() throws InterruptedException, ExecutionException {
    cluster.terminateTaskManager(0).get();
  }

  void addTaskManager() throws Exception {
    cluster.startTaskManager();
  }

  /** Returns the last report of a job. */
  static Optional<Status> status(JobClient job) {
    try {
      return Optional.ofNullable(job.getAccumulators().get().get(Status.ACCUMULATOR))
          .map(Object::toString)
          .filter(json -> !json.isEmpty())
          .map(Status::parse);
    } catch (InterruptedException | ExecutionException e) {
      // The job is not running at the moment.
      return Optional.empty();
    }
  }

  /** Returns the number of epochs that a job has completed. */
  static int epochs(JobClient job) {
    return status(job).flatMap(Status::lastEvaluation).map(Evaluation::epoch).orElse(0);
  }

  /**
   * Waits until the number of workers is in a range and a number of epochs or windows is complete;
   * returns the last complete one.
   */
  static int awaitEpoch(JobClient job, int epoch, int fewest, int most) {
    AtomicInteger last = new AtomicInteger();
    await(
        () -> {
          // The next status may be that of a restart, which has none.
          last.set(
              status(job)
                  .filter(status -> status.workers() >= fewest && status.workers() <= most)
                  .flatMap(Status::lastEvaluation)
                  .map(Evaluation::epoch)
                  .orElse(0));
          return last.get() >= epoch;
        });
    return last.get();
  }

  /** Returns the report of a job at its end. */
  static Status end(JobClient job) throws Exception {
    JobExecutionResult result =
        job.getJobExecutionResult().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    return Status.parse((String) result.getAccumulatorResult(Status.ACCUMULATOR));
  }

  /** Waits for another checkpoint in a folder; Flink has then recorded those before. */
  static void awaitAnotherCheckpoint(Path folder) {
    Optional<Path> last = Checkpoints.newestBelow(folder);
    await(
        () ->
            Checkpoints.newestBelow(folder)
                .filter(newest -> !last.equals(Optional.of(newest)))
                .isPresent());
  }

  /** Waits until a condition is true. */
  static void await(BooleanSupplier condition) {
    Awaitility.await("the job's state")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(5))
        .until(condition::getAsBoolean);
  }

  @Override
  public void close() {
    cluster.closeAsync().join();
  }
}
