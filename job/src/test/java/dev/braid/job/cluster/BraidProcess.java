package dev.braid.job.cluster;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** A process of {@code braid} from the packaged jars, as a user runs it. */
final class BraidProcess {

  private static final Duration TIMEOUT = Duration.ofMinutes(5);

  /** Folder that is empty and shared by all of Flink's processes. */
  private static final String OF_FLINKS_WEB = "flink-web-upload";

  private final Process process;
  private final Path log;
  private final Path temporary;

  private BraidProcess(Process process, Path log, Path temporary) {
    this.process = process;
    this.log = log;
    this.temporary = temporary;
  }

  /**
   * Starts a command without the optimising compiler, which costs a short run more processor time
   * than it saves.
   *
   * @param log file for all output; the process's folder for temporary files is next to it
   */
  static BraidProcess start(Path log, String... arguments) throws IOException {
    return startIn(Path.of("").toAbsolutePath(), log, arguments);
  }

  /** Starts a command in another folder than this process's own. */
  static BraidProcess startIn(Path folder, Path log, String... arguments) throws IOException {
    return start(folder, Map.of(), log, arguments);
  }

  /** Starts a command with additional environment variables. */
  static BraidProcess startWith(Map<String, String> environment, Path log, String... arguments)
      throws IOException {
    return start(Path.of("").toAbsolutePath(), environment, log, arguments);
  }

  private static BraidProcess start(
      Path folder, Map<String, String> environment, Path log, String... arguments)
      throws IOException {
    Path target = Path.of("target").toAbsolutePath();
    Path temporary = Files.createDirectories(log.resolveSibling(log.getFileName() + ".tmp"));
    List<String> command = new ArrayList<>();
    // A process that runs the tests in the background may ignore interrupts, which its children
    // would inherit.
    command.addAll(List.of("env", "--default-signal=INT"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Djava.io.tmpdir=" + temporary);
    command.addAll(List.of("-Xmx1g", "-Dlog4j2.level=OFF", "-Dbraid.launcher=true"));
    command.addAll(ProcessCluster.QUICK_START);
    for (String module : System.getProperty("braid.add-opens").split(" ", -1)) {
      command.add("--add-opens=" + module + "=ALL-UNNAMED");
    }
    Stream<String> classPath = Stream.of("braid.jar", "lib/*", "cluster-lib/*");
    command.add("-cp");
    command.add(classPath.map(target::resolve).map(Path::toString).collect(joining(":")));
    command.add("dev.braid.job.Main");
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().put("OMP_NUM_THREADS", "1");
    builder.environment().putAll(environment);
    Process process = builder.start();
    // A failing test does not wait for the process.
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    return new BraidProcess(process, log, temporary);
  }

  /** Waits for the end of the process and returns its exit code. */
  int awaitEnd() throws InterruptedException {
    if (!process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
      logThreads(process);
      process.destroyForcibly();
      throw new AssertionError("no end after " + TIMEOUT.toSeconds() + " s\n" + output());
    }
    return process.exitValue();
  }

  /** Waits until the output contains a text. */
  void await(String words) {
    await(() -> output().contains(words));
  }

  /** Waits until a condition is true. */
  void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TIMEOUT.toNanos();
    while (!condition.getAsBoolean()) {
      if (!process.isAlive() || System.nanoTime() > deadline) {
        logThreads(process);
        process.destroyForcibly();
        throw new AssertionError("not seen in time\n" + output());
      }
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }

  /** Makes a running JVM write the stacks and deadlocks of its threads to its log. */
  static void logThreads(Process process) {
    if (!process.isAlive()) {
      return;
    }
    try {
      signal("QUIT", process.pid());
      // A JVM that hangs in native code may write nothing.
      process.waitFor(1, TimeUnit.SECONDS);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns whether a run's folder has a complete checkpoint, whose metadata is written last. */
  static boolean hasCheckpoint(Path out) {
    try (Stream<Path> files = Files.walk(out.resolve("checkpoints"))) {
      return files.anyMatch(file -> file.endsWith("_metadata"));
    } catch (IOException | UncheckedIOException e) {
      // Older checkpoints may be removed during the search.
      return false;
    }
  }

  /** Sends the signal of Ctrl-C. */
  void interrupt() throws Exception {
    signal("INT");
  }

  /** Sends the signal of Ctrl-C repeatedly, and returns the exit code. */
  int interruptUntilItEnds() throws Exception {
    while (process.isAlive()) {
      signal("INT", process.pid());
    }
    return awaitEnd();
  }

  /** Sends a signal to the process. */
  void signal(String name) throws Exception {
    assertThat(signal(name, process.pid())).isZero();
  }

  /**
   * Suspends a process and waits until it is suspended, because it may run for a moment after the
   * signal.
   */
  static void suspend(long pid) throws IOException, InterruptedException {
    assertThat(signal("STOP", pid)).isZero();
    Path stat = Path.of("/proc", Long.toString(pid), "stat");
    Awaitility.await("a suspended process")
        .atMost(TIMEOUT)
        .until(() -> Files.readString(stat).contains(") T "));
  }

  /** Sends a signal and returns the exit code of {@code kill}. */
  static int signal(String name, long pid) throws IOException, InterruptedException {
    return new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid).start().waitFor();
  }

  /** Kills the process, as {@code kill -9} does. */
  void kill() {
    process.destroyForcibly();
  }

  /** Returns the files in the process's folder for temporary files. */
  List<Path> temporaryFiles() {
    try (Stream<Path> files = Files.list(temporary)) {
      return files.filter(file -> !file.endsWith(OF_FLINKS_WEB)).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns all processes that it has started, directly or indirectly. */
  List<ProcessHandle> descendants() {
    return process.descendants().toList();
  }

  /** Returns the process number. */
  long pid() {
    return process.pid();
  }

  /** Returns all output so far. */
  String output() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return "";
    }
  }
}
