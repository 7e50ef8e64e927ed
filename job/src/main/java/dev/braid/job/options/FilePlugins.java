package dev.braid.job.options;

import dev.braid.job.console.UsageException;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.ConfigConstants;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.configuration.IllegalConfigurationException;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.plugin.PluginUtils;

/**
 * Flink's file systems other than this machine's disks, such as S3. Each is a plug-in in its own
 * folder below {@code FLINK_PLUGINS_DIR} ({@code plugins} by default), configured by {@code
 * config.yaml} in {@code FLINK_CONF_DIR}. A cluster and Flink's client load plug-ins themselves;
 * for an embedded run, this class does.
 */
public final class FilePlugins {

  private static final String HADOOP =
      "flink-hadoop-fs and Hadoop's client must be on the class path (HADOOP_CLASSPATH)";

  private static final String S3 = "flink-s3-fs-presto or flink-s3-fs-hadoop";
  private static final String AZURE = "flink-azure-fs-hadoop";

  /** Requirement of each of Flink's file systems, by scheme. */
  private static final Map<String, String> NEEDED =
      Map.ofEntries(
          Map.entry("s3", plugin(S3)),
          Map.entry("s3a", plugin("flink-s3-fs-hadoop")),
          Map.entry("s3p", plugin("flink-s3-fs-presto")),
          Map.entry("gs", plugin("flink-gs-fs-hadoop")),
          Map.entry("oss", plugin("flink-oss-fs-hadoop")),
          Map.entry("abfs", plugin(AZURE)),
          Map.entry("abfss", plugin(AZURE)),
          Map.entry("wasb", plugin(AZURE)),
          Map.entry("wasbs", plugin(AZURE)),
          Map.entry("hdfs", HADOOP),
          Map.entry("viewfs", HADOOP));

  private FilePlugins() {}

  private static String plugin(String names) {
    return "the plug-in "
        + names
        + " must be in a folder of its own in "
        + folder()
        + " (see docs/how-to/deploy.md)";
  }

  /** Returns the folder in which Flink looks for plug-ins. */
  private static String folder() {
    return System.getenv()
        .getOrDefault(
            ConfigConstants.ENV_FLINK_PLUGINS_DIR, ConfigConstants.DEFAULT_FLINK_PLUGINS_DIRS);
  }

  /**
   * Loads the plug-ins if one of these places is on such a file system.
   *
   * @throws UsageException if a plug-in is invalid or configured wrongly
   */
  public static void loadFor(List<String> places) {
    if (places.stream().noneMatch(FilePlugins::isElsewhere)) {
      return;
    }
    try {
      Configuration settings = GlobalConfiguration.loadConfiguration();
      // A cluster's settings must not change the meaning of an embedded run's paths.
      settings.removeConfig(CoreOptions.DEFAULT_FILESYSTEM_SCHEME);
      FileSystem.initialize(settings, PluginUtils.createPluginManagerFromRootFolder(settings));
    } catch (IllegalConfigurationException e) {
      throw new UsageException(ConfigConstants.ENV_FLINK_CONF_DIR + ": " + e.getMessage(), e);
    } catch (RuntimeException e) {
      throw new UsageException(
          "plug-ins of file systems in %s cannot be loaded: %s".formatted(folder(), reason(e)), e);
    }
  }

  private static String reason(Throwable failure) {
    Throwable deepest = failure;
    while (deepest.getCause() != null) {
      deepest = deepest.getCause();
    }
    return deepest.getMessage() == null ? deepest.toString() : deepest.getMessage();
  }

  /** Returns whether a place is on another file system than the local one. */
  private static boolean isElsewhere(String place) {
    try {
      String scheme = new Path(place).toUri().getScheme();
      return scheme != null && !scheme.equals("file");
    } catch (IllegalArgumentException e) {
      // An invalid place is reported when it is used.
      return false;
    }
  }

  /** Returns a message that a scheme cannot be used, and what it requires. */
  public static String missing(String scheme) {
    return "Flink knows no file system for '%s' here: %s"
        .formatted(
            scheme,
            NEEDED.getOrDefault(
                scheme, "use a path, or a scheme for which Flink has a plug-in in " + folder()));
  }
}
