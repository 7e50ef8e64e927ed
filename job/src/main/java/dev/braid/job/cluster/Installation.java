package dev.braid.job.cluster;

import dev.braid.job.console.UsageException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What the build has left: the job's jar, and Flink's and ND4J's in a folder beside it. No
 * distribution of Flink is needed.
 *
 * @param jar for {@code flink run}
 * @param lib all that Flink's processes need
 */
record Installation(Path jar, Path lib) {

  private static final String JAR = "braid.jar";

  /**
   * The one that this class is of.
   *
   * @throws UsageException if there is none
   */
  static Installation ofProcess() {
    Path target = place().toAbsolutePath().getParent();
    Path lib = target.resolve("lib");
    if (!Files.isDirectory(lib)) {
      throw new UsageException(
          lib + ": Flink's libraries are missing there; ./braid or mvn package copies them");
    }
    return new Installation(target.resolve(JAR), lib);
  }

  /** What {@code flink run} takes: of a cluster that runs, there is no need to look for more. */
  static Path jarOfProcess() {
    return place().toAbsolutePath().resolveSibling(JAR);
  }

  private static Path place() {
    try {
      return Path.of(
          Installation.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("a class path that is not a URI", e);
    }
  }

  /** The Java that runs this process. */
  static Path java() {
    return Path.of(System.getProperty("java.home"), "bin", "java");
  }
}
