package dev.braid.job.cluster;

import dev.braid.job.console.ExitCodes;
import dev.braid.job.console.Places;
import dev.braid.job.console.Terminal;
import dev.braid.job.console.UsageException;
import dev.braid.job.rest.ClusterOverview;
import dev.braid.job.rest.FlinkRest;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Ends a cluster. */
@Command(
    name = "down",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    descriptionHeading = "%n",
    description =
        "Ends all processes of a cluster, and its jobs with them. Logs and checkpoints stay in its"
            + " folder.",
    exitCodeListHeading = "%nExit codes%n",
    exitCodeList = {
      "0:nothing of it runs any more, or nothing did",
      "1:a process could not be ended",
      "2:a mistake in the options, or a folder that cannot be written to"
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
    return folder.locked(() -> end(folder));
  }

  private int end(ClusterFolder folder) throws IOException, InterruptedException {
    List<ClusterProcess> processes = folder.processes();
    boolean ran = processes.stream().anyMatch(ClusterProcess::runs);
    int jobs = ran ? jobs(folder) : 0;
    tellLost(terminal, processes);
    ClusterEnd end = ClusterEnd.of(folder, processes);
    if (!ran) {
      terminal.print(ClusterStatus.nothing(folder));
      return ExitCodes.OK;
    }
    if (!end.ended().isEmpty()) {
      terminal.print("ended " + String.join(", ", end.ended()));
    }
    if (jobs > 0) {
      terminal.print(
          (jobs == 1 ? "1 job was" : jobs + " jobs were")
              + " running; what checkpoints there are is in "
              + Places.shown(folder.checkpoints())
              + ", or in --checkpoint-dir");
    }
    if (!end.left().isEmpty()) {
      System.err.println("braid: could not be ended: " + String.join(", ", end.left()));
      return ExitCodes.FAILED;
    }
    return ExitCodes.OK;
  }

  private static int jobs(ClusterFolder folder) throws InterruptedException {
    for (FlinkRest jobManager : jobManagers(folder)) {
      Optional<ClusterOverview> overview = ClusterStatus.overview(folder, jobManager);
      if (overview.isPresent()) {
        return overview.get().jobs();
      }
    }
    return 0;
  }

  /** Those that can be asked: a cluster whose keys are gone is ended all the same. */
  private static List<FlinkRest> jobManagers(ClusterFolder folder) {
    try {
      return folder.jobManagers();
    } catch (UsageException e) {
      return List.of();
    }
  }

  /** Says what had ended before anybody asked for it. */
  static void tellLost(Terminal terminal, List<ClusterProcess> processes) {
    for (ClusterProcess process : processes) {
      switch (process.state()) {
        case RUNS -> {}
        case GONE -> terminal.print(process.shown() + " does not run any more");
        case STRANGER ->
            terminal.print(
                process.name()
                    + " does not run any more: "
                    + process.pid()
                    + " is another program's number, and that is left alone");
      }
    }
  }
}
