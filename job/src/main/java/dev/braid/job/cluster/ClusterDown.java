package dev.braid.job.cluster;

import dev.braid.job.console.ExitCodes;
import dev.braid.job.console.Places;
import dev.braid.job.console.Terminal;
import dev.braid.job.console.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Command {@code braid cluster down}: stops a cluster. */
@Command(
    name = "down",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = {
      "Stops all processes of a cluster and with them its jobs.",
      "",
      "Logs and checkpoints stay in its folder."
    },
    exitCodeListHeading = "%nExit codes%n",
    exitCodeList = {
      "0:the cluster is stopped, or did not run",
      "1:a process could not be ended, or it is uncertain to which cluster it belongs",
      "2:invalid options, a folder that cannot be written to, or a file in pids/ "
          + "that is not a record of a process"
    })
public final class ClusterDown implements Callable<Integer> {

  private final Terminal terminal;

  @Mixin private final FolderFlag flag = new FolderFlag();

  public ClusterDown(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    ClusterFolder folder = flag.folder();
    if (!folder.exists()) {
      terminal.print(ClusterStatus.nothing(folder));
      return ExitCodes.OK;
    }
    try {
      return folder.locked(() -> end(folder));
    } catch (ClusterFailedException e) {
      System.err.println("braid: " + e.getMessage());
      return ExitCodes.FAILED;
    }
  }

  private int end(ClusterFolder folder)
      throws ClusterFailedException, IOException, InterruptedException {
    List<ClusterProcess> processes = folder.processes();
    Optional<Path> original = folder.original(processes);
    if (original.isPresent()) {
      terminal.print(ClusterStatus.nothing(folder));
      terminal.print(ClusterStatus.copy(folder, original.get()));
      return ExitCodes.OK;
    }
    boolean lives = processes.stream().anyMatch(process -> !process.hasEnded());
    Optional<ClusterSight.Answer> jobManager =
        lives ? jobManager(folder, processes) : Optional.empty();
    tellLost(terminal, processes);
    ClusterEnd end = ClusterEnd.endAll(folder, processes);
    if (!lives) {
      terminal.print(ClusterStatus.nothing(folder));
      return ExitCodes.OK;
    }
    if (!end.ended().isEmpty()) {
      terminal.print("ended " + String.join(", ", end.ended()));
    }
    int jobs = jobManager.map(it -> it.overview().jobs()).orElse(0);
    if (jobs > 0) {
      terminal.print(
          (jobs == 1 ? "1 job was" : jobs + " jobs were")
              + " running; their checkpoints, if any, are in "
              + checkpoints(folder, jobManager.get())
              + ", or in --checkpoint-dir");
    }
    if (!end.left().isEmpty()) {
      System.err.println(
          "braid: could not end "
              + String.join(", ", end.left())
              + "; the files that they may use were not removed");
      return ExitCodes.FAILED;
    }
    return ExitCodes.OK;
  }

  /**
   * Asks a JobManager; empty if none answers. A cluster whose keys are lost is stopped all the
   * same.
   */
  private static Optional<ClusterSight.Answer> jobManager(
      ClusterFolder folder, List<ClusterProcess> processes) throws InterruptedException {
    try {
      return ClusterSight.of(folder, processes).best();
    } catch (UsageException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns the checkpoint folder that the JobManager itself uses, even if the cluster's folder was
   * moved.
   */
  private static String checkpoints(ClusterFolder folder, ClusterSight.Answer jobManager) {
    return jobManager
        .checkpoints()
        .map(place -> place.replaceFirst("^file:/+", "/"))
        .map(Places::shown)
        .orElseGet(() -> Places.shown(folder.checkpoints()));
  }

  /** Reports processes that had ended before this command. */
  static void tellLost(Terminal terminal, List<ClusterProcess> processes) {
    for (ClusterProcess process : processes) {
      switch (process.state()) {
        case RUNS, STOPPED, UNKNOWN -> {}
        case GONE -> terminal.print(process.shown() + " does not run");
        case STRANGER ->
            terminal.print(
                process.name()
                    + " does not run: the process number "
                    + process.pid()
                    + " belongs to another program, which is not touched");
      }
    }
  }
}
