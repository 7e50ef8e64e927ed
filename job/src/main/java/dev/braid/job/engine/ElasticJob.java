package dev.braid.job.engine;

import dev.braid.job.console.UsageException;
import dev.braid.job.options.Validation;
import dev.braid.job.options.WorkerBounds;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.flink.client.deployment.ClusterClientFactory;
import org.apache.flink.client.deployment.ClusterDescriptor;
import org.apache.flink.client.deployment.DefaultClusterClientServiceLoader;
import org.apache.flink.client.program.ClusterClient;
import org.apache.flink.client.program.rest.RestClusterClient;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.JobManagerOptions.SchedulerType;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.jobgraph.JobResourceRequirements;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.runtime.rest.messages.ClusterConfigurationInfoHeaders;
import org.apache.flink.runtime.rest.messages.ConfigurationInfo;
import org.apache.flink.runtime.rest.messages.EmptyMessageParameters;
import org.apache.flink.runtime.rest.messages.EmptyRequestBody;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;

/**
 * A job that a cluster may run with fewer slots than were asked for, if its scheduler is Flink's
 * adaptive one: with how few, it is told with the job. Another scheduler takes no notice, and has
 * all slots or waits.
 */
public final class ElasticJob {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private ElasticJob() {}

  /**
   * Checks that bounds mean something to the cluster.
   *
   * @param given what Flink's client knows of the cluster
   * @throws UsageException if its scheduler keeps to no bounds
   */
  public static void check(WorkerBounds bounds, ReadableConfig given) {
    if (bounds.fewest().isEmpty()) {
      return;
    }
    Configuration client = Configuration.fromMap(given.toMap());
    Optional<Configuration> cluster = ofCluster(client);
    if (cluster.isPresent()
        && cluster.get().get(JobManagerOptions.SCHEDULER) != SchedulerType.Adaptive) {
      throw Validation.boundsNotKept(bounds);
    }
  }

  /** The settings of the cluster that the job is for; none if it cannot be asked. */
  private static Optional<Configuration> ofCluster(Configuration client) {
    try {
      return ofCluster(
          client, new DefaultClusterClientServiceLoader().getClusterClientFactory(client));
    } catch (IllegalStateException e) {
      // The job is submitted from within its own cluster, whose settings these are.
      return Optional.of(client);
    }
  }

  private static <T> Optional<Configuration> ofCluster(
      Configuration client, ClusterClientFactory<T> factory) {
    T id = factory.getClusterId(client);
    if (id == null) {
      // It begins with the job.
      return Optional.of(client);
    }
    try (ClusterDescriptor<T> descriptor = factory.createClusterDescriptor(client);
        ClusterClient<T> cluster = descriptor.retrieve(id).getClusterClient()) {
      return cluster instanceof RestClusterClient<T> rest
          ? Optional.of(settings(rest))
          : Optional.of(client);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } catch (Exception e) {
      // Nor can a job be submitted: that will say why.
      return Optional.empty();
    }
  }

  private static Configuration settings(RestClusterClient<?> cluster) throws Exception {
    ConfigurationInfo entries =
        cluster
            .sendRequest(
                ClusterConfigurationInfoHeaders.getInstance(),
                EmptyMessageParameters.getInstance(),
                EmptyRequestBody.getInstance())
            .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    Configuration settings = new Configuration();
    entries.forEach(entry -> settings.setString(entry.getKey(), entry.getValue()));
    return settings;
  }

  /**
   * Starts a job that has been built.
   *
   * @param fewestRanks with how few ranks it may run
   */
  public static JobClient submit(StreamExecutionEnvironment env, String name, int fewestRanks)
      throws Exception {
    StreamGraph graph = env.getStreamGraph(false);
    graph.setJobName(name);
    JobResourceRequirements.writeToExecutionPlan(graph, bounds(env, fewestRanks));
    return env.executeAsync(graph);
  }

  /** Of all vertices, by the ids that they have in whichever job graph is made of this program. */
  private static JobResourceRequirements bounds(StreamExecutionEnvironment env, int fewestRanks) {
    JobResourceRequirements.Builder bounds = JobResourceRequirements.newBuilder();
    for (JobVertex vertex : env.getStreamGraph(false).getJobGraph().getVertices()) {
      int most = vertex.getParallelism();
      bounds.setParallelismForJobVertex(vertex.getID(), Math.min(fewestRanks, most), most);
    }
    return bounds.build();
  }
}
