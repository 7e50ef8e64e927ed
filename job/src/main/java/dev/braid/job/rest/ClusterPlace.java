package dev.braid.job.rest;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The folder in which {@code braid cluster up} has put a cluster of this machine, as far as others
 * look there than the commands that start and end it.
 *
 * @param root the folder, which need not be there
 */
public record ClusterPlace(Path root) {

  /** Where it is if nobody says another place. */
  public static final String DEFAULT = "braid-cluster";

  /** The name of Flink's configuration in {@link #conf}. */
  public static final String CONFIG = "config.yaml";

  /** Flink's configuration, which its client needs, too. */
  public Path conf() {
    return root.resolve("conf");
  }

  /** A file for each process that was started and is not ended. */
  public Path pids() {
    return root.resolve("pids");
  }

  /** Whether a cluster was ever started here. */
  public boolean exists() {
    return Files.isRegularFile(conf().resolve(CONFIG));
  }

  /** Whether one was started, and not ended. */
  public boolean runs() {
    String[] processes = pids().toFile().list();
    return exists() && processes != null && processes.length > 0;
  }
}
