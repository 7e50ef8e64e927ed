package dev.braid.job.rest;

import java.io.IOException;
import java.util.Optional;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;

/**
 * The settings of the cluster that a job is for, which is asked once, when they are first needed.
 */
public final class ClusterSettings {

  private final Configuration client;
  private Optional<Configuration> known = Optional.empty();
  private boolean asked;

  /**
   * Of a cluster that has not been asked.
   *
   * @param client settings of this process, which say where the cluster is
   */
  public ClusterSettings(Configuration client) {
    this.client = client;
  }

  /** Those that a JobManager has, but for secrets. */
  public static Configuration of(FlinkRest jobManager) throws RestException, InterruptedException {
    return ClusterFacts.settings(jobManager);
  }

  /**
   * Returns whether a JobManager belongs to the cluster with these settings of {@code cluster up}.
   */
  public static boolean areOf(Configuration settings, FlinkRest jobManager)
      throws RestException, InterruptedException {
    String id = settings.getString(ClusterPlace.ID, "");
    return !id.isEmpty() && id.equals(of(jobManager).getString(ClusterPlace.ID, ""));
  }

  /** All of them; none if the cluster cannot be asked: who submits a job will be told. */
  public Optional<Configuration> all() {
    if (!asked) {
      known = ask();
      asked = true;
    }
    return known;
  }

  /** A setting as this process is configured, or the cluster; none if neither is. */
  public <T> Optional<T> get(ConfigOption<T> option) {
    return client.getOptional(option).or(() -> all().flatMap(it -> it.getOptional(option)));
  }

  private Optional<Configuration> ask() {
    if (ClusterRest.isOwnOf(client)) {
      // The job is submitted from within its own cluster, or that begins with it.
      return Optional.of(client);
    }
    try (ClusterRest cluster = ClusterRest.of(client)) {
      return Optional.of(ClusterFacts.settings(cluster.rest()));
    } catch (IOException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}
