package dev.braid.job.rest;

import dev.braid.job.engine.NetworkMemory;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.configuration.Configuration;

/**
 * Asks the cluster that a job is about to be submitted to how it is set, and says what of it will
 * hurt. A submission fails for nothing of this but certificates, nor waits long: a cluster that
 * does not answer, or not as Flink does, is told nothing about.
 */
public final class SubmissionCheck {

  /** For what has not been answered until then. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final CompletableFuture<ClusterFacts> facts = new CompletableFuture<>();

  private SubmissionCheck() {}

  /**
   * Begins to ask, while whoever submits the job prepares it.
   *
   * @param client settings that say where the cluster is
   */
  public static SubmissionCheck begin(Configuration client) {
    SubmissionCheck check = new SubmissionCheck();
    loadSockets();
    Thread asking = new Thread(() -> check.ask(client), "braid-submission-check");
    asking.setDaemon(true);
    asking.start();
    return check;
  }

  /**
   * Loads the native libraries of sockets. Two threads that load native libraries at the same time
   * can block each other for ever, and the caller loads ND4J while the cluster is asked.
   */
  private static void loadSockets() {
    try {
      SocketChannel.open().close();
    } catch (IOException e) {
      // The request to the cluster fails as well, and its failure is reported.
      return;
    }
  }

  /**
   * What the user should know, a line each; nothing if the cluster has not answered two seconds
   * from now.
   *
   * @param client the settings that the job is submitted with
   * @throws RestException if the cluster does not know this client's certificate, or the other way
   */
  public List<String> warnings(Configuration client, NetworkMemory need)
      throws InterruptedException, RestException {
    return warnings(client, need, PATIENCE);
  }

  List<String> warnings(Configuration client, NetworkMemory need, Duration patience)
      throws InterruptedException, RestException {
    try {
      return ClusterWarnings.of(
          facts.get(patience.toMillis(), TimeUnit.MILLISECONDS), client, need);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RestException failure && failure.isOfTls()) {
        throw failure;
      }
      return List.of();
    } catch (TimeoutException | IllegalArgumentException e) {
      // The last of a setting whose value is none.
      return List.of();
    }
  }

  private void ask(Configuration client) {
    try (ClusterRest cluster = ClusterRest.of(client)) {
      facts.complete(ClusterFacts.of(cluster.rest()));
    } catch (IOException | InterruptedException | RuntimeException e) {
      facts.completeExceptionally(e);
    }
  }
}
