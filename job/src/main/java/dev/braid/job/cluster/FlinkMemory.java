package dev.braid.job.cluster;

import dev.braid.job.console.UsageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Memory options of a Flink process. Flink computes them from its configuration in a separate JVM
 * that prints them, as it does for its scripts.
 *
 * @param jvm options of the process's JVM
 * @param arguments arguments of its main class: the sizes that the process must observe
 */
record FlinkMemory(List<String> jvm, List<String> arguments) {

  private static final String OF_JOB_MANAGER = "GET_JM_RESOURCE_PARAMS";
  private static final String OF_TASK_MANAGER = "GET_TM_RESOURCE_PARAMS";

  private static final String MAIN = "org.apache.flink.runtime.util.bash.BashJavaUtils";
  private static final String RESULT = "BASH_JAVA_UTILS_EXEC_RESULT:";

  /** End of an exception's class name in the output, before its message. */
  private static final String REFUSED = "IllegalConfigurationException: ";

  /** Starts the computation. */
  static Process ask(FlinkJvm.Role role, FlinkJvm jvm) throws IOException {
    return new ProcessBuilder(
            Installation.java().toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Dlog4j2.level=OFF",
            "-cp",
            FlinkJvm.classPath(jvm.lib()),
            MAIN,
            role == FlinkJvm.Role.JOB_MANAGER ? OF_JOB_MANAGER : OF_TASK_MANAGER,
            "--configDir",
            jvm.conf().toString())
        .redirectErrorStream(true)
        .start();
  }

  /**
   * Waits for the result of the computation.
   *
   * @throws UsageException if Flink refuses the configuration's sizes
   */
  static FlinkMemory answer(Process asked) throws IOException, InterruptedException {
    String output = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    asked.waitFor();
    return of(output);
  }

  /** Parses the output of the computation. */
  static FlinkMemory of(String output) {
    List<String> results =
        output
            .lines()
            .filter(line -> line.startsWith(RESULT))
            .map(line -> line.substring(RESULT.length()))
            .toList();
    if (results.isEmpty()) {
      throw new UsageException("Flink refuses the settings: " + reason(output));
    }
    List<String> arguments = new ArrayList<>();
    results.stream().skip(1).map(FlinkJvm::words).forEach(arguments::addAll);
    return new FlinkMemory(FlinkJvm.words(results.get(0)), arguments);
  }

  /** Returns the message of the deepest cause, which names the error. */
  private static String reason(String output) {
    List<String> lines = output.lines().map(String::strip).toList();
    return lines.stream()
        .filter(line -> line.contains(REFUSED))
        .reduce((first, second) -> second)
        .map(line -> line.substring(line.indexOf(REFUSED) + REFUSED.length()))
        .orElseGet(() -> lines.isEmpty() ? "Flink gives no reason" : lines.get(lines.size() - 1));
  }
}
