package dev.braid.job.cluster;

import dev.braid.job.console.Places;
import dev.braid.job.console.Terminal;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Start of a cluster's processes, which outlive this one. If the start fails or is interrupted, it
 * ends all of them.
 */
final class ClusterStart implements AutoCloseable {

  /**
   * Command prefix that protects a process from the terminal's end and from a Ctrl-C that is meant
   * for a later command.
   */
  private static final List<String> DETACHED =
      List.of("sh", "-c", "trap '' HUP INT; exec \"$@\"", "sh");

  private final ClusterFolder folder;
  private final FlinkJvm jvm;
  private final Terminal terminal;
  private final String cluster;
  private final Map<ClusterProcess, Process> started = new LinkedHashMap<>();

  /** Records of processes that had ended and are started again. */
  private final List<ClusterProcess> replaced = new ArrayList<>();

  private final Thread hook = new Thread(this::interrupt, "braid-cluster-interrupted");

  private boolean interrupted;
  private boolean stays;

  ClusterStart(ClusterFolder folder, FlinkJvm jvm, Terminal terminal) {
    this.folder = folder;
    this.cluster = ClusterFolder.id(jvm.settings());
    this.jvm = jvm;
    this.terminal = terminal;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Starts a process, unless the start was interrupted. */
  synchronized void start(ClusterMember member, FlinkMemory memory) throws IOException {
    if (interrupted) {
      return;
    }
    String name = member.name();
    List<String> first =
        List.of(ClusterProcess.mark(cluster, name), "-Dlog.file=" + folder.log(name));
    List<String> own = new ArrayList<>(memory.jvm());
    own.add("-Djava.io.tmpdir=" + folder.tmp());
    own.add("-XX:ErrorFile=" + folder.log(name).resolveSibling(name + ".crash"));
    List<String> all = new ArrayList<>(memory.arguments());
    all.addAll(member.arguments());
    start(name, jvm.command(member.role(), first, own, all), jvm.environment(member.role()));
  }

  private void start(String name, List<String> command, Map<String, String> environment)
      throws IOException {
    List<String> detached = new ArrayList<>(DETACHED);
    detached.addAll(command);
    ProcessBuilder builder =
        new ProcessBuilder(detached)
            .redirectInput(new File("/dev/null"))
            .redirectErrorStream(true)
            .redirectOutput(folder.out(name).toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    ClusterProcess recorded =
        ClusterProcess.started(name, process.pid(), ClusterProcess.mark(cluster, name));
    started.put(recorded, process);
    folder.processes().stream().filter(it -> it.name().equals(name)).forEach(replaced::add);
    recorded.write(folder.pidFile(name));
  }

  /** Returns whether this command has been interrupted. */
  synchronized boolean interrupted() {
    return interrupted;
  }

  /**
   * Checks the started processes.
   *
   * @throws ClusterFailedException if one of them has ended
   */
  synchronized void check() throws ClusterFailedException {
    for (Map.Entry<ClusterProcess, Process> one : started.entrySet()) {
      if (!one.getValue().isAlive() && !interrupted) {
        String name = one.getKey().name();
        throw new ClusterFailedException(
            name
                + " has ended with exit code "
                + one.getValue().exitValue()
                + ProcessLog.lastWords(folder, name).map(": "::concat).orElse("")
                + " (its log is "
                + Places.shown(folder.log(name))
                + ")");
      }
    }
  }

  /** Marks the start as successful: the processes keep running when this command ends. */
  synchronized void succeed() {
    stays = !interrupted;
  }

  private synchronized void interrupt() {
    interrupted = true;
    if (stays) {
      return;
    }
    terminal.endLine();
    terminal.print("stopping ...");
    List<String> left = endAll();
    terminal.print(
        left.isEmpty()
            ? "stopped: a process that this command started has ended"
            : "not ended: " + String.join("; ", left));
  }

  private List<String> endAll() {
    try {
      List<String> left = ClusterEnd.endAll(folder, List.copyOf(started.keySet())).left();
      for (ClusterProcess one : replaced) {
        // The rest of the cluster keeps running, so the record must be kept.
        if (!Files.exists(folder.pidFile(one.name()))) {
          one.write(folder.pidFile(one.name()));
        }
      }
      return left;
    } catch (IOException e) {
      return List.of("files are left in " + folder.shown() + ": " + e.getMessage());
    }
  }

  @Override
  public synchronized void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The hook is running or has run.
      return;
    }
    if (!stays) {
      endAll();
    }
  }
}
