package dev.braid.job.cluster;

import dev.braid.job.console.UsageException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Files of the build: the job's jar, and a folder next to it with the jars of Flink and ND4J. No
 * Flink distribution is needed.
 *
 * @param lib folder of the libraries of Flink's processes
 */
record Installation(Path lib) {

  /**
   * Returns the installation that this class was loaded from.
   *
   * @throws UsageException if its libraries are missing
   */
  static Installation ofProcess() {
    Path lib = place().toAbsolutePath().resolveSibling("lib");
    if (!Files.isDirectory(lib)) {
      throw new UsageException(
          lib + ": Flink's libraries are missing there; ./braid or mvn package copies them");
    }
    return new Installation(lib);
  }

  /**
   * Returns the jar for {@code flink run}. It does not check for the libraries, because the cluster
   * runs already.
   */
  static Path jarOfProcess() {
    return place().toAbsolutePath().resolveSibling("braid.jar");
  }

  private static Path place() {
    try {
      return Path.of(
          Installation.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("a class path that is not a URI", e);
    }
  }

  /** Returns the Java executable that runs this process. */
  static Path java() {
    return Path.of(System.getProperty("java.home"), "bin", "java");
  }
}
