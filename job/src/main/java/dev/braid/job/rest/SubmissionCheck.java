package dev.braid.job.rest;

import dev.braid.job.engine.NetworkMemory;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.client.deployment.ClusterClientFactory;
import org.apache.flink.client.deployment.ClusterDescriptor;
import org.apache.flink.client.deployment.DefaultClusterClientServiceLoader;
import org.apache.flink.client.program.ClusterClient;
import org.apache.flink.configuration.Configuration;

/**
 * Asks the cluster that a job is about to be submitted to how it is set, and says what of it will
 * hurt. A submission never fails for this, nor waits long: a cluster that does not answer, or not
 * as Flink does, is told nothing about.
 */
public final class SubmissionCheck {

  /** For all questions and answers together. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private SubmissionCheck() {}

  /**
   * What the user should know, a line each.
   *
   * @param client the settings that the job is submitted with, among them where the cluster is
   */
  public static List<String> warnings(Configuration client, NetworkMemory need)
      throws InterruptedException {
    return warnings(client, need, PATIENCE);
  }

  static List<String> warnings(Configuration client, NetworkMemory need, Duration patience)
      throws InterruptedException {
    CompletableFuture<List<String>> asked = new CompletableFuture<>();
    Thread asking = new Thread(() -> ask(client, need, asked), "braid-submission-check");
    asking.setDaemon(true);
    asking.start();
    try {
      return asked.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      return List.of();
    }
  }

  @SuppressWarnings("CatchingUnchecked") // whatever Flink's clients throw here
  private static void ask(
      Configuration client, NetworkMemory need, CompletableFuture<List<String>> asked) {
    try {
      ask(
          new DefaultClusterClientServiceLoader().getClusterClientFactory(client),
          client,
          need,
          asked);
    } catch (Exception e) {
      asked.completeExceptionally(e);
    }
  }

  /** Flink's own client finds the leader; it is closed when all has been said. */
  private static <T> void ask(
      ClusterClientFactory<T> factory,
      Configuration settings,
      NetworkMemory need,
      CompletableFuture<List<String>> asked)
      throws Exception {
    try (ClusterDescriptor<T> descriptor = factory.createClusterDescriptor(settings);
        ClusterClient<T> client =
            descriptor.retrieve(factory.getClusterId(settings)).getClusterClient()) {
      FlinkRest rest = new FlinkRest(URI.create(client.getWebInterfaceURL()), PATIENCE);
      asked.complete(ClusterWarnings.of(rest.facts(), settings, need));
    }
  }
}
