package dev.braid.job;

import dev.braid.worker.report.BraidMetric;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.checkpoint.CompletedCheckpointStats;
import org.apache.flink.runtime.client.JobStatusMessage;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.runtime.testutils.InMemoryReporter;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.util.TestStreamEnvironment;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;

/**
 * An embedded Flink shared by all tests of this JVM, because starting one takes longer than most of
 * their jobs. A job that a test leaves running is cancelled at the test's end. Register the
 * extension in a static field:
 *
 * <pre>{@code
 * @RegisterExtension static final FlinkExtension FLINK = new FlinkExtension();
 * }</pre>
 *
 * <p>A stream ({@code collectAsync}) must be read only when its job has ended. While a job runs,
 * Flink reads from a port that the stream's last task opens. As soon as that task has ended, a task
 * in another JVM of these tests may use the port, and its answer looks like that of a restarted
 * job.
 */
public final class FlinkExtension implements BeforeAllCallback, AfterEachCallback {

  private static final Namespace NAMESPACE = Namespace.create(FlinkExtension.class);
  private static final int SLOTS = 20;
  private static final Duration CANCEL_TIMEOUT = Duration.ofMinutes(1);

  private Running running;

  /**
   * Returns the environment in which a test submits a job.
   *
   * @param parallelism of the job, at most 20
   * @param settings of the job; those of a cluster have no effect
   */
  public StreamExecutionEnvironment environment(int parallelism, Configuration settings) {
    return new TestStreamEnvironment(
        running.cluster(), settings, parallelism, List.of(), List.of());
  }

  /**
   * Waits until the JobManager knows that all tasks of a job run; before that, it takes no
   * savepoint.
   */
  public void awaitAllTasks(JobClient job) {
    TrainingCluster.await(() -> TrainingCluster.allTasksRun(running.cluster(), job));
  }

  /** Returns the sum of one of Braid's counters over all workers of a running job. */
  long counted(JobID job, BraidMetric metric) {
    return running
        .metrics()
        .findMetrics(job, "." + BraidMetric.GROUP + "." + metric.key())
        .values()
        .stream()
        .mapToLong(counter -> ((Counter) counter).getCount())
        .sum();
  }

  /**
   * Returns when the newest complete checkpoint of a running job began, in milliseconds since 1970;
   * 0 if there is none.
   */
  long newestCheckpointBegan(JobID job) {
    CompletedCheckpointStats newest =
        running
            .cluster()
            .getExecutionGraph(job)
            .join()
            .getCheckpointStatsSnapshot()
            .getHistory()
            .getLatestCompletedCheckpoint();
    return newest == null ? 0 : newest.getTriggerTimestamp();
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    running =
        context
            // Once for the JVM: Surefire has a root for each class.
            .getStore(StoreScope.LAUNCHER_SESSION, NAMESPACE)
            .getOrComputeIfAbsent(Running.class, key -> Running.start(), Running.class);
  }

  @Override
  public void afterEach(ExtensionContext context) throws Exception {
    MiniCluster cluster = running.cluster();
    Collection<JobStatusMessage> jobs = cluster.listJobs().get();
    for (JobStatusMessage job : jobs) {
      if (!job.getJobState().isGloballyTerminalState()) {
        CompletableFuture<?> end = cluster.requestJobResult(job.getJobId());
        cluster.cancelJob(job.getJobId()).get();
        end.get(CANCEL_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
      }
    }
  }

  private record Running(MiniCluster cluster, InMemoryReporter metrics) implements AutoCloseable {

    static Running start() {
      Configuration settings = new Configuration();
      settings.set(RestOptions.BIND_PORT, "0");
      MemorySize network = MemorySize.ofMebiBytes(128);
      settings.set(TaskManagerOptions.NETWORK_MEMORY_MIN, network);
      settings.set(TaskManagerOptions.NETWORK_MEMORY_MAX, network);
      InMemoryReporter metrics = InMemoryReporter.create();
      metrics.addToConfiguration(settings);
      MiniCluster cluster =
          new MiniCluster(
              new MiniClusterConfiguration.Builder()
                  .setConfiguration(settings)
                  .setNumTaskManagers(1)
                  .setNumSlotsPerTaskManager(SLOTS)
                  .build());
      try {
        cluster.start();
      } catch (Exception e) {
        throw new IllegalStateException("the embedded Flink did not start", e);
      }
      return new Running(cluster, metrics);
    }

    @Override
    public void close() {
      cluster.closeAsync().join();
    }
  }
}
