package dev.braid.job.train;

import dev.braid.job.rest.CauseChain;
import dev.braid.job.rest.CauseChain.Cause;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.Optional;
import org.apache.flink.core.execution.JobClient;

/**
 * Messages for class paths without ND4J, JavaCPP or Deeplearning4j. These belong into a cluster's
 * {@code lib/} folder on each of its machines and where jobs are submitted, because native
 * libraries can be loaded only once in a process.
 */
public final class MissingLibraries {

  private static final List<String> PACKAGES =
      List.of("org.nd4j.", "org.deeplearning4j.", "org.bytedeco.", "org.datavec.");

  private static final List<String> KINDS =
      List.of(NoClassDefFoundError.class.getName(), ClassNotFoundException.class.getName());

  /**
   * Flink's exceptions of a client whose request a server refused, which quote the server's
   * exceptions.
   */
  private static final String OF_SERVER = "RestClientException";

  private MissingLibraries() {}

  /**
   * Returns a message if the failure is due to missing libraries, in this process or at the
   * JobManager that answered it.
   */
  public static Optional<String> sentence(Throwable failure) {
    CauseChain causes = CauseChain.of(failure);
    boolean isOfServer = causes.find(it -> it.simpleType().equals(OF_SERVER)).isPresent();
    return sentence(
        causes,
        isOfServer ? "at the JobManager" : "here",
        isOfServer ? "the lib/ folder of its Flink" : folderHere());
  }

  /** Returns a message if a task's failure is due to missing libraries. */
  static Optional<String> inTask(CauseChain causes, Optional<String> where) {
    return sentence(
        causes,
        "at the TaskManager" + where.map(" "::concat).orElse(""),
        "the lib/ folder of its Flink");
  }

  private static Optional<String> sentence(CauseChain causes, String where, String folder) {
    return causes
        .find(MissingLibraries::isMissing)
        .map(
            missing ->
                ("ND4J is missing %s (no class %s): copy the jars of the folder cluster-lib, "
                        + "which is next to braid.jar, to %s, on every machine of the cluster, and restart Flink")
                    .formatted(where, missing.message().strip().replace('/', '.'), folder));
  }

  private static boolean isMissing(Cause cause) {
    // A message of several words says that the class exists, but its native part could not be
    // loaded.
    String name = cause.message().strip().replace('/', '.');
    return KINDS.contains(cause.type())
        && !name.contains(" ")
        && PACKAGES.stream().anyMatch(name::startsWith);
  }

  /** Returns the folder of Flink's own jars. */
  private static String folderHere() {
    try {
      CodeSource source = JobClient.class.getProtectionDomain().getCodeSource();
      return source == null
          ? "the lib/ folder of Flink"
          : Path.of(source.getLocation().toURI()).getParent().toString();
    } catch (URISyntaxException | RuntimeException e) {
      return "the lib/ folder of Flink";
    }
  }
}
