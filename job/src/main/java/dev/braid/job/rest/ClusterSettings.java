package dev.braid.job.rest;

import java.io.IOException;
import java.util.Optional;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;

/**
 * The settings of the cluster to which a job is submitted, requested once when they are first
 * needed.
 */
public final class ClusterSettings {

  private final Configuration client;
  private Optional<Configuration> known = Optional.empty();
  private boolean asked;

  /**
   * Creates settings that have not been requested yet.
   *
   * @param client settings of this process, with the cluster's address
   */
  public ClusterSettings(Configuration client) {
    this.client = client;
  }

  /** Returns a JobManager's settings, without secrets. */
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

  /**
   * Returns all settings; empty if the cluster cannot be reached, which submitting the job will
   * report.
   */
  public Optional<Configuration> all() {
    if (!asked) {
      known = ask();
      asked = true;
    }
    return known;
  }

  /** Returns a setting of this process, or else of the cluster; empty if neither has it. */
  public <T> Optional<T> get(ConfigOption<T> option) {
    return client.getOptional(option).or(() -> all().flatMap(it -> it.getOptional(option)));
  }

  private Optional<Configuration> ask() {
    if (ClusterRest.isOwnOf(client)) {
      // The job is submitted from within its own cluster, or to a cluster that starts with it.
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
