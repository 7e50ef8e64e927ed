package dev.braid.job;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.client.JobStatusMessage;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.util.TestStreamEnvironment;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * One embedded Flink for all tests of this JVM: to start one takes longer than most of their jobs.
 * A job that a test leaves behind ends with the test. Register it in a static field:
 *
 * <pre>{@code
 * @RegisterExtension static final FlinkExtension FLINK = new FlinkExtension();
 * }</pre>
 */
public final class FlinkExtension implements BeforeAllCallback, AfterEachCallback {

  private static final Namespace NAMESPACE = Namespace.create(FlinkExtension.class);
  private static final int SLOTS = 16;
  private static final Duration CANCEL_TIMEOUT = Duration.ofMinutes(1);

  private MiniCluster cluster;

  /**
   * Where a test submits a job.
   *
   * @param parallelism of the job, at most 16
   * @param settings of the job; those of a cluster have no effect
   */
  public StreamExecutionEnvironment environment(int parallelism, Configuration settings) {
    return new TestStreamEnvironment(cluster, settings, parallelism, List.of(), List.of());
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    cluster =
        context
            .getRoot()
            .getStore(NAMESPACE)
            .getOrComputeIfAbsent(Running.class, key -> Running.start(), Running.class)
            .cluster();
  }

  @Override
  public void afterEach(ExtensionContext context) throws Exception {
    Collection<JobStatusMessage> jobs = cluster.listJobs().get();
    for (JobStatusMessage job : jobs) {
      if (!job.getJobState().isGloballyTerminalState()) {
        CompletableFuture<?> end = cluster.requestJobResult(job.getJobId());
        cluster.cancelJob(job.getJobId()).get();
        end.get(CANCEL_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
      }
    }
  }

  private record Running(MiniCluster cluster) implements AutoCloseable {

    static Running start() {
      Configuration settings = new Configuration();
      settings.set(RestOptions.BIND_PORT, "0");
      MemorySize network = MemorySize.ofMebiBytes(128);
      settings.set(TaskManagerOptions.NETWORK_MEMORY_MIN, network);
      settings.set(TaskManagerOptions.NETWORK_MEMORY_MAX, network);
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
      return new Running(cluster);
    }

    @Override
    public void close() {
      cluster.closeAsync().join();
    }
  }
}
