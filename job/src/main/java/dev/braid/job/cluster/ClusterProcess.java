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
 * Record of a process of a cluster. A process number does not suffice: the process may have ended,
 * and another program may have its number. The record therefore also has the time and place of the
 * start, and the mark in the command line, which contains the cluster's id and the process's name.
 *
 * @param name such as {@code taskmanager-1}
 * @param pid number of the process in the operating system
 * @param start time of its start, in the unit of {@link #startOf}
 * @param place where it was started
 * @param mark argument that no other process has
 */
record ClusterProcess(String name, long pid, String start, Place place, String mark) {

  /** State of a recorded process. */
  enum State {
    RUNS,
    /** Suspended, as by SIGSTOP. */
    STOPPED,
    GONE,
    /** Its number belongs to another program. */
    STRANGER,
    /** Whether it runs cannot be determined. */
    UNKNOWN
  }

  private static final String MARK = "-Dbraid.cluster.process=";

  /** Maximum size of a record, in bytes. */
  private static final int MOST_BYTES = 4096;

  private static final Pattern FILE =
      Pattern.compile(
          "([1-9]\\d{0,17})\nstart (\\S*)\nhost (\\S*)\nboot (\\S*)\nnamespace (\\S*)\n"
              + "user (\\S*)\nmark ("
              + MARK
              + "[\\w-]+/[\\w-]+)\n");

  private static final String UNKNOWN_START = "?";
  private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

  /** Indices of the fields that follow the process name in {@code /proc/PID/stat}. */
  private static final int STATE = 0;

  private static final int THREADS = 17;
  private static final int TICKS = 19;

  /** Returns the record of a process that has just been started on this machine. */
  static ClusterProcess started(String name, long pid, String mark) {
    String start = ProcessHandle.of(pid).flatMap(ClusterProcess::startOf).orElse(UNKNOWN_START);
    return new ClusterProcess(name, pid, start, Place.here(), mark);
  }

  /**
   * Returns a process's mark, a JVM option without effect.
   *
   * @param cluster the cluster's id
   */
  static String mark(String cluster, String name) {
    return MARK + cluster + "/" + name;
  }

  /**
   * Reads a record.
   *
   * @throws UsageException if the file is not a record, or cannot be read
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
          file + ": not a record of a process; remove the file if nothing of that cluster runs");
    }
    return new ClusterProcess(
        name,
        Long.parseLong(parts.group(1)),
        parts.group(2),
        new Place(parts.group(3), parts.group(4), parts.group(5), parts.group(6)),
        parts.group(7));
  }

  /** Writes the record that {@link #read} reads. Its first line is the process number. */
  void write(Path file) throws IOException {
    String text =
        "%d\nstart %s\nhost %s\nboot %s\nnamespace %s\nuser %s\nmark %s\n"
            .formatted(
                pid, start, place.host(), place.boot(), place.namespace(), place.user(), mark);
    WholeFile.write(file, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
  }

  /** Returns the id of its cluster. */
  String cluster() {
    return mark.substring(MARK.length(), mark.length() - name.length() - 1);
  }

  boolean isTaskManager() {
    return name.startsWith(ClusterMember.TASK_MANAGER);
  }

  boolean isJobManager() {
    return name.startsWith(ClusterMember.JOB_MANAGER);
  }

  /** Returns whether it runs or is stopped. */
  boolean runs() {
    State state = state();
    return state == State.RUNS || state == State.STOPPED;
  }

  /** Returns whether it has certainly ended. */
  boolean hasEnded() {
    State state = state();
    return state == State.GONE || state == State.STRANGER;
  }

  State state() {
    Place here = Place.here();
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
    boolean isKnown = startNow.isPresent() && !start.equals(UNKNOWN_START);
    if (isKnown && !startNow.get().equals(start)) {
      return State.STRANGER;
    }
    if (isDead(pid)) {
      return State.GONE;
    }
    Optional<String> command = handle.get().info().commandLine();
    if (command.isEmpty() || !(command.get() + " ").contains(mark + " ")) {
      // A process that is ending has no command line.
      return isKnown || command.isEmpty() ? State.UNKNOWN : State.STRANGER;
    }
    return isStopped(pid) ? State.STOPPED : State.RUNS;
  }

  /** Returns why its state is unknown, or why it cannot be ended. */
  String doubt() {
    Place here = Place.here();
    return place
        .hidden(here)
        .orElseGet(
            () ->
                place.user().equals(here.user())
                    ? "the system does not allow ending it, or does not show what it is"
                    : "it belongs to user "
                        + place.user()
                        + ", and this command runs as "
                        + here.user());
  }

  /** Returns when the process was started, if it runs. */
  Optional<Instant> since() {
    return ProcessHandle.of(pid).flatMap(it -> it.info().startInstant());
  }

  /**
   * Returns whether the file for its output has been removed, as by a move of its folder to another
   * file system.
   */
  boolean hasLostItsFiles() {
    try {
      return Integer.valueOf(0).equals(Files.getAttribute(proc(pid, "fd/1"), "unix:nlink"));
    } catch (IOException e) {
      return false;
    }
  }

  /** Terminates the process; kills it if it is stopped. Returns whether the signal was sent. */
  boolean end() {
    return state() == State.STOPPED ? kill() : ifOurs(ProcessHandle::destroy);
  }

  /** Kills the process. Returns whether the signal was sent. */
  boolean kill() {
    return ifOurs(ProcessHandle::destroyForcibly);
  }

  private boolean ifOurs(Predicate<ProcessHandle> action) {
    return runs() && ProcessHandle.of(pid).filter(action).isPresent();
  }

  /** Waits for the process to end; returns whether it has certainly ended by the deadline. */
  boolean awaitEnd(long deadlineNanos) {
    while (!hasEnded()) {
      if (System.nanoTime() - deadlineNanos >= 0 || Thread.currentThread().isInterrupted()) {
        return false;
      }
      LockSupport.parkNanos(POLL_INTERVAL.toNanos());
    }
    return true;
  }

  /** Returns the name and the process number, for the user. */
  String shown() {
    return name + " (" + pid + ")";
  }

  /**
   * Returns when a process was started. With {@code /proc}, the unit is clock ticks since the start
   * of the machine, because a correction of the clock would change a time of day. Otherwise it is
   * milliseconds since 1970.
   */
  private static Optional<String> startOf(ProcessHandle process) {
    return Files.isDirectory(proc(process.pid(), ""))
        ? stat(process.pid()).map(it -> it[TICKS])
        : process.info().startInstant().map(it -> Long.toString(it.toEpochMilli()));
  }

  /** Returns whether a process is a zombie without threads. */
  private static boolean isDead(long pid) {
    // If only the first thread has ended, others may still wait for a disk.
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

  /**
   * Place in which a process number is valid: not on another machine, in another container, or
   * after a restart. A component is empty where the system does not provide it.
   *
   * @param host the machine's name
   * @param boot id of the machine's last start
   * @param namespace id of the namespace of process numbers, which containers have
   * @param user name of the user who started the process
   */
  record Place(String host, String boot, String namespace, String user) {

    private static final Path KERNEL = Path.of("/proc/sys/kernel");
    private static final Path NAMESPACE = Path.of("/proc/self/ns/pid");

    /** Number of the first process, which every user sees unless the system hides processes. */
    private static final long FIRST = 1;

    /** Returns the place of this process. */
    static Place here() {
      return new Place(
          line(KERNEL.resolve("hostname")),
          line(KERNEL.resolve("random/boot_id")),
          link(NAMESPACE),
          word(System.getProperty("user.name", "")));
    }

    private static String line(Path file) {
      try {
        return word(Files.readString(file));
      } catch (IOException e) {
        return "";
      }
    }

    private static String link(Path link) {
      try {
        return word(Files.readSymbolicLink(link).toString());
      } catch (IOException e) {
        return "";
      }
    }

    private static String word(String text) {
      return text.strip().replaceAll("\\s", "_");
    }

    /** Returns whether this is the same machine before its last restart. */
    boolean isPast(Place now) {
      return host.equals(now.host) && !boot.equals(now.boot);
    }

    /** Returns why processes of this place cannot be seen from another; empty if they can. */
    Optional<String> hidden(Place from) {
      if (!boot.equals(from.boot)) {
        return Optional.of("it was started on another machine, " + host);
      }
      if (!namespace.equals(from.namespace)) {
        return Optional.of("it was started in another container (host name " + host + ")");
      }
      return Optional.empty();
    }

    /** Returns whether the system hides this user's processes from another user. */
    boolean isOfHiddenUser(Place from) {
      return !user.equals(from.user) && ProcessHandle.of(FIRST).isEmpty();
    }
  }
}
