package dev.braid.job.compare;

import dev.braid.job.console.ExitCodes;
import dev.braid.job.console.ParentWatch;
import dev.braid.run.result.EarlierResults;
import dev.braid.run.result.InvalidHistoryException;
import dev.braid.run.result.RunHistory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One {@code braid train} in a separate process. In a shared process, a later run would profit from
 * code that the first run had compiled, and would inherit its memory.
 */
final class TrainRun {

  private static final String HISTORY = "history.jsonl";
  private static final String ERROR = "braid: ";

  private final String name;
  private final Path out;
  private final List<String> arguments;

  /**
   * Creates a run without starting it.
   *
   * @param out folder for its results
   * @param arguments arguments of {@code braid train}
   */
  TrainRun(String name, Path out, List<String> arguments) {
    this.name = name;
    this.out = out;
    this.arguments = arguments;
  }

  /** Returns the run's name in the comparison. */
  String name() {
    return name;
  }

  /** Returns the folder for the run's results. */
  Path out() {
    return out;
  }

  /** Returns the arguments of {@code braid train}. */
  List<String> arguments() {
    return arguments;
  }

  /** Moves the results of an earlier run away, so that they cannot be mistaken for this run's. */
  void putAsideEarlier() throws IOException {
    EarlierResults.putAside(out.toString(), EarlierResults.ALL);
  }

  /**
   * Trains, and returns the result. The run writes to this process's standard output and error.
   *
   * @param main main class of {@code braid}
   */
  ComparedRun run(Class<?> main, CompareInterruption interruption)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command(main)).inheritIO();
    Optional<Process> process =
        interruption.start(builder.redirectError(ProcessBuilder.Redirect.PIPE));
    if (process.isEmpty()) {
      return ended(Optional.of("not begun"));
    }
    Optional<String> error = errors(process.get());
    int exitCode = process.get().waitFor();
    if (exitCode == ExitCodes.OK || exitCode == ExitCodes.TARGET_MISSED) {
      // A missed target is no problem, because the comparison has a column for the time to the
      // target.
      return ended(Optional.empty());
    }
    if (interruption.interrupted()) {
      return ended(Optional.of("interrupted"));
    }
    return ended(Optional.of(error.orElse("ended with exit code " + exitCode)));
  }

  private ComparedRun ended(Optional<String> trouble) {
    try {
      ComparedRun run = ComparedRun.of(name, RunHistory.read(out.resolve(HISTORY)));
      return new ComparedRun(name, run.history(), trouble.or(run::trouble));
    } catch (InvalidHistoryException e) {
      return new ComparedRun(name, Optional.empty(), trouble.or(() -> Optional.of(e.getMessage())));
    }
  }

  /** Forwards the process's standard error; returns Braid's last error message in it. */
  private static Optional<String> errors(Process process) throws IOException {
    Optional<String> last = Optional.empty();
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(process.getErrorStream(), Charset.defaultCharset()))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        System.err.println(line);
        if (line.startsWith(ERROR)) {
          last = Optional.of(line.substring(ERROR.length()));
        }
      }
    }
    return last;
  }

  /** Returns a command with this process's JVM and its options. */
  private List<String> command(Class<?> main) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.add(ParentWatch.jvmOption());
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.add("train");
    command.addAll(arguments);
    return command;
  }
}
