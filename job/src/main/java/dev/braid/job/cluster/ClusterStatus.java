package dev.braid.job.cluster;

import dev.braid.job.console.Durations;
import dev.braid.job.console.ExitCodes;
import dev.braid.job.console.Places;
import dev.braid.job.console.Terminal;
import dev.braid.job.rest.ClusterOverview;
import dev.braid.job.rest.ClusterSettings;
import dev.braid.job.rest.FlinkRest;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Says what runs of a cluster, and how to use it. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    descriptionHeading = "%n",
    description =
        "Says which processes of a cluster run, where its web UI is, how many slots are free, and how"
            + " to start a training there.",
    exitCodeListHeading = "%nExit codes%n",
    exitCodeList = {
      "0:all that was started runs, and the JobManager answers",
      "1:something of it does not run, or nothing at all",
      "2:a mistake in the options"
    })
public final class ClusterStatus implements Callable<Integer> {

  /** Names stand above each other. */
  private static final String LINE = "%-14s %s";

  private final Terminal terminal;

  @Mixin private final FolderFlag flag = new FolderFlag();

  public ClusterStatus(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    ClusterFolder folder = flag.folder();
    List<ClusterProcess> processes = folder.processes();
    if (processes.isEmpty()) {
      terminal.print(nothing(folder));
      return ExitCodes.FAILED;
    }
    Instant now = Instant.now();
    processes.forEach(
        process -> terminal.print(LINE.formatted(process.name(), describe(folder, process, now))));
    if (processes.stream().noneMatch(ClusterProcess::runs)) {
      terminal.print(
          "nothing of this cluster runs; ./braid cluster up" + folder.option() + " starts one");
      return ExitCodes.FAILED;
    }
    boolean answers = showUse(terminal, folder);
    return answers && processes.stream().allMatch(ClusterProcess::runs)
        ? ExitCodes.OK
        : ExitCodes.FAILED;
  }

  static String nothing(ClusterFolder folder) {
    return "no cluster runs in "
        + folder.shown()
        + "; ./braid cluster up"
        + folder.option()
        + " starts one";
  }

  private static String describe(ClusterFolder folder, ClusterProcess process, Instant now) {
    return switch (process.state()) {
      case RUNS ->
          "process "
              + process.pid()
              + process
                  .since()
                  .map(since -> Math.max(0, Duration.between(since, now).toSeconds()))
                  .map(seconds -> ", for " + Durations.inWords(seconds).strip())
                  .orElse("");
      case GONE ->
          "does not run: killed, or ended by itself; its log is "
              + Places.shown(folder.log(process.name()));
      case STRANGER -> "does not run: its number, " + process.pid() + ", is another program's";
    };
  }

  /** Shows how to use a cluster, if its JobManager answers; whether it does. */
  static boolean showUse(Terminal terminal, ClusterFolder folder) throws InterruptedException {
    for (FlinkRest jobManager : folder.jobManagers()) {
      Optional<ClusterOverview> overview = overview(folder, jobManager);
      if (overview.isPresent()) {
        terminal.print(LINE.formatted("web UI", jobManager.address()));
        if (Files.exists(folder.restKey())) {
          terminal.print(
              LINE.formatted("certificate", Places.shown(folder.restKey()) + ", for browsers"));
        }
        terminal.print(LINE.formatted("slots", slots(overview.get())));
        terminal.print(LINE.formatted("train", run(folder, overview.get())));
        terminal.print(LINE.formatted("end", "./braid cluster down" + folder.option()));
        return true;
      }
    }
    terminal.print("no JobManager answers at " + folder.webAddresses().get(0));
    return false;
  }

  /**
   * What its JobManager says, if it says anything. Where it has ended, or has not begun to listen,
   * another Flink may answer at its port: that is none of this cluster's.
   */
  static Optional<ClusterOverview> overview(ClusterFolder folder, FlinkRest jobManager)
      throws InterruptedException {
    try {
      return folder.isOwn(ClusterSettings.of(jobManager))
          ? Optional.of(ClusterOverview.of(jobManager))
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static String slots(ClusterOverview overview) {
    return "%d of %d free, %s"
        .formatted(
            overview.freeSlots(),
            overview.slots(),
            overview.jobs() == 1 ? "1 job" : overview.jobs() + " jobs");
  }

  private static String run(ClusterFolder folder, ClusterOverview overview) {
    // More would wait for slots; where none is free, there will be as many as there are.
    int workers = overview.freeSlots() > 0 ? overview.freeSlots() : overview.slots();
    return "./braid flink"
        + folder.option()
        + " run "
        + Places.inShell(Installation.jarOfProcess().toString())
        + " train --workers "
        + Math.max(1, workers);
  }
}
