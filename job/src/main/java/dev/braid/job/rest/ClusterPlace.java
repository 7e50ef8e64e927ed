package dev.braid.job.rest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.configuration.IllegalConfigurationException;

/**
 * The folder in which {@code braid cluster up} has started a cluster on this machine, for the
 * commands that do not start or stop clusters.
 *
 * <p>A cluster has a random id, which is in its configuration and in each of its processes. Neither
 * another path to the folder nor another name of it therefore makes it another cluster. A copy of
 * the folder has the same id. The two differ in the file system's number of the folder {@link
 * #pids}, which a rename keeps and a copy does not.
 *
 * @param root the folder, which need not exist
 */
public record ClusterPlace(Path root) {

  /** Default folder of a cluster. */
  public static final String DEFAULT = "braid-cluster";

  /** Name of Flink's configuration file in {@link #conf}. */
  public static final String CONFIG = "config.yaml";

  /** Setting with the random id of the cluster. */
  public static final String ID = "braid.cluster.id";

  /** Setting with the path of the folder in which the cluster was started. */
  public static final String FOLDER = "braid.cluster.folder";

  /** Setting with the {@link #number} of the folder in which the cluster was started. */
  public static final String NUMBER = "braid.cluster.folder-number";

  /** Returns the place at a path. Resolves symbolic links in the part of the path that exists. */
  public static ClusterPlace at(Path folder) {
    Path whole = folder.toAbsolutePath().normalize();
    for (Path there = whole; there != null; there = there.getParent()) {
      try {
        return new ClusterPlace(there.toRealPath().resolve(there.relativize(whole)));
      } catch (IOException e) {
        // It does not exist or cannot be entered: try its parent.
      }
    }
    return new ClusterPlace(whole);
  }

  /** Returns the folder of Flink's configuration, which its client also needs. */
  public Path conf() {
    return root.resolve("conf");
  }

  /** Returns the folder with a file for each process that was started and not ended. */
  public Path pids() {
    return root.resolve("pids");
  }

  /** Returns whether a cluster was ever started here. */
  public boolean exists() {
    return Files.isRegularFile(conf().resolve(CONFIG));
  }

  /** Returns whether a cluster was started here and not ended. */
  public boolean runs() {
    String[] processes = pids().toFile().list();
    return exists() && processes != null && processes.length > 0;
  }

  /**
   * Returns the settings that the cluster was started with. Paths within its folder are adjusted to
   * the folder's current path, since it may have been renamed.
   *
   * @throws IllegalConfigurationException if they cannot be read
   */
  public Configuration settings() {
    Configuration written = written();
    String before = written.getString(FOLDER, root.toString());
    Map<String, String> now = new TreeMap<>(written.toMap());
    now.keySet().remove(FOLDER);
    now.replaceAll((key, value) -> moved(value, before));
    now.put(FOLDER, before);
    return Configuration.fromMap(now);
  }

  private Configuration written() {
    try {
      return GlobalConfiguration.loadConfiguration(conf().toString());
    } catch (RuntimeException e) {
      // Flink's loader throws several exceptions, most of which do not name the file.
      throw new IllegalConfigurationException(
          conf().resolve(CONFIG) + ": missing, or not written by 'braid cluster up'", e);
    }
  }

  private String moved(String value, String before) {
    String scheme = value.startsWith("file:") ? "file://" : "";
    String path = value.substring(scheme.length());
    return path.equals(before) || path.startsWith(before + "/")
        ? scheme + root + path.substring(before.length())
        : value;
  }

  /**
   * Returns whether this is a copy of the folder in which the cluster was started, or was moved
   * here from another file system.
   *
   * @throws IllegalConfigurationException if the settings cannot be read
   */
  public boolean isCopy() {
    String started = written().getString(NUMBER, "");
    return !started.isEmpty() && !Optional.of(started).equals(number());
  }

  /**
   * Returns the file system's number of the folder {@link #pids}: its device and inode; empty if
   * the folder does not exist.
   */
  public Optional<String> number() {
    try {
      Map<String, Object> of = Files.readAttributes(pids(), "unix:dev,ino");
      return Optional.of(of.get("dev") + ":" + of.get("ino"));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
