package dev.braid.job.cluster;

import dev.braid.files.WholeFile;
import dev.braid.job.console.UsageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A process of a cluster, as its file tells of it. A number alone is no proof: the process may be
 * gone, and another program have its number. So its file also has when and where it was started,
 * and the mark in its command line, of the cluster's id and its own name.
 *
 * @param name as in {@code taskmanager-1}
 * @param pid the number by which the operating system knew it
 * @param start when it was started, as {@link #startOf} has it
 * @param place where it was started
 * @param mark the argument that no other process has
 */
record ClusterProcess(String name, long pid, String start, ProcessPlace place, String mark) {

  /** What has become of it. */
  enum State {
    RUNS,
    /** It is there, but does nothing until it is sent SIGCONT. */
    STOPPED,
    GONE,
    /** Its number is another program's. */
    STRANGER,
    /** It may run. */
    UNKNOWN
  }

  private static final String MARK = "-Dbraid.cluster.process=";

  /** More than any file has. */
  private static final int MOST_BYTES = 4096;

  private static final Pattern FILE =
      Pattern.compile(
          "([1-9]\\d{0,17})\nstart (\\S*)\nhost (\\S*)\nboot (\\S*)\nnamespace (\\S*)\n"
              + "user (\\S*)\nmark ("
              + MARK
              + "[\\w-]+/[\\w-]+)\n");

  private static final String UNKNOWN_START = "?";
  private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

  /** What Linux says of a process behind its name, which may have blanks: state, then numbers. */
  private static final int STATE = 0;

  private static final int THREADS = 17;
  private static final int TICKS = 19;

  /** A process that has just been started on this machine, with its mark. */
  static ClusterProcess started(String name, long pid, String mark) {
    String start = ProcessHandle.of(pid).flatMap(ClusterProcess::startOf).orElse(UNKNOWN_START);
    return new ClusterProcess(name, pid, start, ProcessPlace.here(), mark);
  }

  /**
   * A process's mark: an option of its JVM that means nothing to it.
   *
   * @param cluster the cluster's id
   */
  static String mark(String cluster, String name) {
    return MARK + cluster + "/" + name;
  }

  /**
   * Reads a process's file.
   *
   * @throws UsageException if it is none
   */
  static ClusterProcess read(String name, Path file) {
    String text;
    try (var in = Files.newInputStream(file)) {
      text = new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UsageException(file + ": " + WholeFile.reason(e), e);
    }
    Matcher parts = FILE.matcher(text);
    if (!parts.matches() || !parts.group(7).endsWith("/" + name)) {
      throw new UsageException(
          file + ": no record of a process; remove the file if nothing of that cluster runs");
    }
    return new ClusterProcess(
        name,
        Long.parseLong(parts.group(1)),
        parts.group(2),
        new ProcessPlace(parts.group(3), parts.group(4), parts.group(5), parts.group(6)),
        parts.group(7));
  }

  /** Writes what {@link #read} reads; the number is the first line. */
  void write(Path file) throws IOException {
    String text =
        "%d\nstart %s\nhost %s\nboot %s\nnamespace %s\nuser %s\nmark %s\n"
            .formatted(
                pid, start, place.host(), place.boot(), place.namespace(), place.user(), mark);
    WholeFile.write(file, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
  }

  /** The id of its cluster. */
  String cluster() {
    return mark.substring(MARK.length(), mark.length() - name.length() - 1);
  }

  boolean isTaskManager() {
    return name.startsWith(ClusterMember.TASK_MANAGER);
  }

  boolean isJobManager() {
    return name.startsWith(ClusterMember.JOB_MANAGER);
  }

  /** Whether it runs, or would if it were not stopped. */
  boolean runs() {
    State state = state();
    return state == State.RUNS || state == State.STOPPED;
  }

  /** Whether it certainly does not run any more. */
  boolean hasEnded() {
    State state = state();
    return state == State.GONE || state == State.STRANGER;
  }

  State state() {
    ProcessPlace here = ProcessPlace.here();
    if (place.isPast(here)) {
      return State.GONE;
    }
    if (place.hidden(here).isPresent()) {
      return State.UNKNOWN;
    }
    Optional<ProcessHandle> handle = ProcessHandle.of(pid);
    if (handle.isEmpty()) {
      return place.isOfHiddenUser(here) ? State.UNKNOWN : State.GONE;
    }
    Optional<String> startNow = startOf(handle.get());
    if (startNow.isPresent() && !start.equals(UNKNOWN_START) && !startNow.get().equals(start)) {
      return State.STRANGER;
    }
    if (isDead(pid)) {
      return State.GONE;
    }
    Optional<String> command = handle.get().info().commandLine();
    boolean isSame = startNow.isPresent() && !start.equals(UNKNOWN_START);
    if (command.isEmpty() || !(command.get() + " ").contains(mark + " ")) {
      // One that is about to end has no command line any more.
      return isSame || command.isEmpty() ? State.UNKNOWN : State.STRANGER;
    }
    return isStopped(pid) ? State.STOPPED : State.RUNS;
  }

  /** Why it cannot be said whether it runs, or cannot be ended. */
  String doubt() {
    ProcessPlace here = ProcessPlace.here();
    return place
        .hidden(here)
        .orElseGet(
            () ->
                place.user().equals(here.user())
                    ? "the system does not let go of it, or does not show what it is"
                    : "it is " + place.user() + "'s, and this is " + here.user());
  }

  /** When it was started, if it runs. */
  Optional<Instant> since() {
    return ProcessHandle.of(pid).flatMap(it -> it.info().startInstant());
  }

  /**
   * Whether the file that it prints to has been removed, as by a move of its folder to another file
   * system.
   */
  boolean hasLostItsFiles() {
    try {
      return Integer.valueOf(0).equals(Files.getAttribute(proc(pid, "fd/1"), "unix:nlink"));
    } catch (IOException e) {
      return false;
    }
  }

  /** Asks it to end; a process that is stopped would not hear of it, and is killed. */
  boolean end() {
    return state() == State.STOPPED ? kill() : ifOurs(ProcessHandle::destroy);
  }

  /** Ends it, whatever it does; returns whether this process may. */
  boolean kill() {
    return ifOurs(ProcessHandle::destroyForcibly);
  }

  private boolean ifOurs(Predicate<ProcessHandle> action) {
    return runs() && ProcessHandle.of(pid).filter(action).isPresent();
  }

  /** Waits for its end; whether that certainly came before the deadline. */
  boolean awaitEnd(long deadlineNanos) {
    while (!hasEnded()) {
      if (System.nanoTime() - deadlineNanos >= 0 || Thread.currentThread().isInterrupted()) {
        return false;
      }
      LockSupport.parkNanos(POLL_INTERVAL.toNanos());
    }
    return true;
  }

  /** As a user reads it. */
  String shown() {
    return name + " (" + pid + ")";
  }

  /**
   * When a process was started. With {@code /proc} in its kernel's own ticks: the time of day would
   * be another after each correction of the machine's clock.
   */
  private static Optional<String> startOf(ProcessHandle process) {
    return Files.isDirectory(proc(process.pid(), ""))
        ? stat(process.pid()).map(it -> it[TICKS])
        : process.info().startInstant().map(it -> Long.toString(it.toEpochMilli()));
  }

  /** Whether nothing is left of a process but its number, which its parent has not asked for. */
  private static boolean isDead(long pid) {
    // Where the first thread has ended, others may still hang in the system.
    return stat(pid)
        .filter(it -> it[STATE].matches("[ZX]") && Integer.parseInt(it[THREADS]) <= 1)
        .isPresent();
  }

  private static boolean isStopped(long pid) {
    return stat(pid).filter(it -> it[STATE].equalsIgnoreCase("T")).isPresent();
  }

  private static Optional<String[]> stat(long pid) {
    try {
      String line = Files.readString(proc(pid, "stat"), StandardCharsets.ISO_8859_1);
      String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
      return fields.length > TICKS ? Optional.of(fields) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static Path proc(long pid, String of) {
    return Path.of("/proc", Long.toString(pid)).resolve(of);
  }
}
