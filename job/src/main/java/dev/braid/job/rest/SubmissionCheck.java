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
 * Check of the cluster to which a job is about to be submitted, which warns about settings that
 * impair training. Only wrong certificates make the submission fail, and it never waits long:
 * without a valid answer from the cluster, there are no warnings.
 */
public final class SubmissionCheck {

  /** Longest wait for the cluster's answers. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final CompletableFuture<ClusterFacts> facts = new CompletableFuture<>();

  private SubmissionCheck() {}

  /**
   * Starts the requests in the background, while the caller prepares the job.
   *
   * @param client settings with the cluster's address
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
   * can deadlock, and the caller loads ND4J during the requests.
   */
  private static void loadSockets() {
    try {
      SocketChannel.open().close();
    } catch (IOException e) {
      // The request to the cluster fails, too, and reports the reason.
      return;
    }
  }

  /**
   * Returns warnings for the user, one line each; none if the cluster does not answer within two
   * seconds.
   *
   * @param client settings with which the job is submitted
   * @throws RestException if the cluster does not trust this client's certificate, or the client
   *     the cluster's
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
      // IllegalArgumentException: a setting has an invalid value.
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
