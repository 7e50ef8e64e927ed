package dev.braid.job.cluster;

import dev.braid.job.console.UsageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A process of a cluster, as its file tells of it. A number alone is no proof: the process may be
 * gone, and another program have its number. So each process has a mark in its command line, with
 * the cluster's folder and its own name.
 *
 * @param name as in {@code taskmanager-1}
 * @param pid the number by which the operating system knew it
 * @param mark the argument that no other process has
 */
record ClusterProcess(String name, long pid, String mark) {

  /** What has become of it. */
  enum State {
    RUNS,
    GONE,
    /** Its number is another program's. */
    STRANGER
  }

  /** More than any number has. */
  private static final int MOST_BYTES = 32;

  private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

  /** A process's mark: an option of its JVM that means nothing to it. */
  static String mark(ClusterFolder folder, String name) {
    return "-Dbraid.cluster.process=" + folder.root() + "/" + name;
  }

  /**
   * Reads a process's file.
   *
   * @throws UsageException if it is none
   */
  static ClusterProcess read(ClusterFolder folder, String name, Path file) throws IOException {
    byte[] bytes;
    try (var in = Files.newInputStream(file)) {
      bytes = in.readNBytes(MOST_BYTES);
    }
    String text = new String(bytes, StandardCharsets.UTF_8).strip();
    if (!text.matches("[1-9]\\d{0,17}")) {
      throw new UsageException(
          file + ": no number of a process; remove the file if nothing of that cluster runs");
    }
    return new ClusterProcess(name, Long.parseLong(text), mark(folder, name));
  }

  boolean isTaskManager() {
    return name.startsWith(ClusterMember.TASK_MANAGER);
  }

  boolean runs() {
    return state() == State.RUNS;
  }

  State state() {
    Optional<String> command = handle().flatMap(it -> it.info().commandLine());
    // Of one that has ended, but whose parent does not care, there is a number and no command.
    if (command.isEmpty()) {
      return State.GONE;
    }
    return (command.get() + " ").contains(mark + " ") ? State.RUNS : State.STRANGER;
  }

  /** When it was started, if it runs. */
  Optional<Instant> since() {
    return handle().flatMap(it -> it.info().startInstant());
  }

  /** Asks it to end. */
  void end() {
    ifOurs(ProcessHandle::destroy);
  }

  /** Ends it, whatever it does. */
  void kill() {
    ifOurs(ProcessHandle::destroyForcibly);
  }

  private void ifOurs(Consumer<ProcessHandle> action) {
    if (runs()) {
      handle().ifPresent(action);
    }
  }

  /** Waits for its end; whether that came before the deadline. */
  boolean awaitEnd(long deadlineNanos) {
    while (runs()) {
      if (System.nanoTime() - deadlineNanos >= 0 || Thread.currentThread().isInterrupted()) {
        return false;
      }
      LockSupport.parkNanos(POLL_INTERVAL.toNanos());
    }
    return true;
  }

  private Optional<ProcessHandle> handle() {
    return ProcessHandle.of(pid);
  }

  /** As a user reads it. */
  String shown() {
    return name + " (" + pid + ")";
  }
}
