package dev.braid.job.rest;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.apache.flink.client.deployment.ClusterClientFactory;
import org.apache.flink.client.deployment.ClusterDescriptor;
import org.apache.flink.client.deployment.DefaultClusterClientServiceLoader;
import org.apache.flink.client.deployment.StandaloneClusterId;
import org.apache.flink.client.program.ClusterClient;
import org.apache.flink.client.program.rest.RestClusterClient;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.util.FlinkException;

/**
 * The REST interface of the cluster that a configuration names. Flink's own client finds it at the
 * configured address, at that of the leading JobManager, or at that of a service of Kubernetes.
 */
public final class ClusterRest implements AutoCloseable {

  /** Longest wait for a leader, since there may be none for a while. */
  private static final Duration LEADER_TIMEOUT = Duration.ofSeconds(2);

  private final ClusterClient<?> client;
  private final FlinkRest rest;

  private ClusterRest(ClusterClient<?> client, FlinkRest rest) {
    this.client = client;
    this.rest = rest;
  }

  /**
   * Finds the REST interface of a cluster.
   *
   * @throws IOException if the configuration leads to no cluster, or its certificates cannot be
   *     read
   */
  public static ClusterRest of(Configuration settings) throws IOException {
    Configuration hasty = new Configuration(settings);
    hasty.set(RestOptions.AWAIT_LEADER_TIMEOUT, LEADER_TIMEOUT);
    // Read certificates before Flink's own client does, because its messages are less specific.
    Optional<SSLContext> tls = FlinkTls.of(hasty);
    try {
      ClusterClient<?> client = client(hasty);
      String path = settings.get(RestOptions.PATH);
      return new ClusterRest(
          client, FlinkRest.at(() -> address(client.getWebInterfaceURL() + path), tls));
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /**
   * Returns whether a configuration is that of the cluster itself, or of a cluster that starts with
   * its job.
   */
  static boolean isOwnOf(Configuration settings) {
    try {
      return factory(settings).getClusterId(settings) == null;
    } catch (IllegalStateException e) {
      return true;
    }
  }

  private static ClusterClient<?> client(Configuration settings) throws Exception {
    try {
      return retrieved(factory(settings), settings);
    } catch (IllegalStateException e) {
      // The program runs within a JobManager, whose configuration has the address.
      return new RestClusterClient<>(settings, StandaloneClusterId.getInstance());
    }
  }

  private static ClusterClientFactory<?> factory(Configuration settings) {
    return new DefaultClusterClientServiceLoader().getClusterClientFactory(settings);
  }

  private static <C> ClusterClient<C> retrieved(
      ClusterClientFactory<C> factory, Configuration settings) throws FlinkException {
    try (ClusterDescriptor<C> descriptor = factory.createClusterDescriptor(settings)) {
      return descriptor.retrieve(factory.getClusterId(settings)).getClusterClient();
    }
  }

  /**
   * Returns the address of a URL; empty if Flink's client returned a text because it does not know
   * the address.
   */
  private static Optional<String> address(String url) {
    try {
      return URI.create(url).getHost() == null
          ? Optional.empty()
          : Optional.of(url.replaceFirst("/+$", ""));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  public FlinkRest rest() {
    return rest;
  }

  @Override
  public void close() {
    client.close();
  }
}
