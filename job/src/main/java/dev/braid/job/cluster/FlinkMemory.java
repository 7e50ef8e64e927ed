package dev.braid.job.cluster;

import dev.braid.job.console.UsageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * How large a process of Flink's may become, by its configuration, as Flink itself works it out for
 * its scripts: in a JVM of its own, that prints it.
 *
 * @param jvm options of the process's JVM
 * @param arguments of its main class: the sizes that it has to keep to
 */
record FlinkMemory(List<String> jvm, List<String> arguments) {

  private static final String OF_JOB_MANAGER = "GET_JM_RESOURCE_PARAMS";
  private static final String OF_TASK_MANAGER = "GET_TM_RESOURCE_PARAMS";

  private static final String MAIN = "org.apache.flink.runtime.util.bash.BashJavaUtils";
  private static final String RESULT = "BASH_JAVA_UTILS_EXEC_RESULT:";

  /** What it prints of an exception: its class, and what is wrong. */
  private static final String REFUSED = "IllegalConfigurationException: ";

  /** Begins to work it out. */
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
   * Waits for what comes of it.
   *
   * @throws UsageException if the configuration's sizes do not go together
   */
  static FlinkMemory answer(Process asked) throws IOException, InterruptedException {
    String output = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    asked.waitFor();
    return of(output);
  }

  /** The same of what was printed. */
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

  /** The deepest cause says what is wrong. */
  private static String reason(String output) {
    List<String> lines = output.lines().map(String::strip).toList();
    return lines.stream()
        .filter(line -> line.contains(REFUSED))
        .reduce((first, second) -> second)
        .map(line -> line.substring(line.indexOf(REFUSED) + REFUSED.length()))
        .orElseGet(() -> lines.isEmpty() ? "Flink gives no reason" : lines.get(lines.size() - 1));
  }
}
