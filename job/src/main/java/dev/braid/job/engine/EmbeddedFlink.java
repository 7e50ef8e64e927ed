package dev.braid.job.engine;

import dev.braid.job.console.UsageException;
import dev.braid.job.options.Validation;
import java.net.BindException;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.runtime.minicluster.MiniClusterJobClient;
import org.apache.flink.runtime.minicluster.MiniClusterJobClient.JobFinalizationBehavior;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.ExceptionUtils;

/**
 * A Flink cluster in this process, with its web UI and one TaskManager with a slot for each rank.
 */
public final class EmbeddedFlink implements AutoCloseable {

  private static final long CLOSE_SECONDS = 10;

  private final MiniCluster cluster;
  private final URI webAddress;

  private final Consumer<JobID> afterJob;
  private Optional<JobID> submitted = Optional.empty();

  private EmbeddedFlink(MiniCluster cluster, URI webAddress, Consumer<JobID> afterJob) {
    this.afterJob = afterJob;
    this.cluster = cluster;
    this.webAddress = webAddress;
  }

  /**
   * Starts a cluster.
   *
   * @param slots number of slots of its TaskManager
   * @param afterJob runs when the cluster is closed, if a job was submitted
   * @throws UsageException if the requested port is in use
   */
  public static EmbeddedFlink start(Configuration settings, int slots, Consumer<JobID> afterJob)
      throws Exception {
    MiniCluster cluster =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(settings)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(slots)
                .withRandomPorts()
                .build());
    try {
      cluster.start();
      return new EmbeddedFlink(cluster, cluster.getRestAddress().get(), afterJob);
    } catch (Exception e) {
      cluster.close();
      if (ExceptionUtils.findThrowable(e, BindException.class).isPresent()) {
        throw Validation.portTaken(settings.get(RestOptions.BIND_PORT), e);
      }
      throw e;
    }
  }

  /** Returns the address of the web UI. */
  public URI webAddress() {
    return webAddress;
  }

  /** Submits the job that has been built. */
  public JobClient submit(StreamExecutionEnvironment env, String name)
      throws InterruptedException, ExecutionException {
    var plan = env.getStreamGraph();
    plan.setJobName(name);
    JobGraph graph = plan.getJobGraph();
    submitted = Optional.of(graph.getJobID());
    cluster.submitJob(graph).get();
    return new MiniClusterJobClient(
        graph.getJobID(),
        cluster,
        EmbeddedFlink.class.getClassLoader(),
        JobFinalizationBehavior.NOTHING);
  }

  /**
   * Triggers a checkpoint of the job, independent of their interval.
   *
   * @return the checkpoint's path, once it is complete
   */
  public CompletableFuture<String> checkpoint() {
    return submitted
        .map(cluster::triggerCheckpoint)
        .orElseThrow(() -> new IllegalStateException("no job was submitted"));
  }

  @Override
  public void close() {
    try {
      cluster.closeAsync().get(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      // The process is about to end and takes the cluster with it.
    }
    submitted.ifPresent(afterJob);
  }
}
