package dev.braid.job.cluster;

import dev.braid.job.console.Durations;
import dev.braid.job.console.ExitCodes;
import dev.braid.job.console.Places;
import dev.braid.job.console.Terminal;
import dev.braid.job.rest.ClusterOverview;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Command {@code braid cluster status}: shows the processes of a cluster and how to use it. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description =
        "Shows which processes of a cluster run, which JobManager leads, where its web "
            + "UI is, how many slots are free, and how to start a training.",
    exitCodeListHeading = "%nExit codes%n",
    exitCodeList = {
      "0:all processes run, the JobManagers answer, and all TaskManagers are registered",
      "1:a process does not run, is stopped or cannot be seen, or none runs",
      "2:invalid options, or a file in pids/ that is not a record of a process"
    })
public final class ClusterStatus implements Callable<Integer> {

  /** Format that aligns names in a column. */
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
    try {
      Optional<Path> original = folder.original(processes);
      if (original.isPresent()) {
        terminal.print(nothing(folder));
        terminal.print(copy(folder, original.get()));
        return ExitCodes.FAILED;
      }
    } catch (ClusterFailedException e) {
      System.err.println("braid: " + e.getMessage());
      return ExitCodes.FAILED;
    }
    return show(folder, processes) ? ExitCodes.OK : ExitCodes.FAILED;
  }

  /** Shows a cluster; returns whether it has no fault. */
  private boolean show(ClusterFolder folder, List<ClusterProcess> processes)
      throws InterruptedException {
    boolean runs = processes.stream().anyMatch(ClusterProcess::runs);
    ClusterSight sight =
        runs ? ClusterSight.of(folder, processes) : new ClusterSight(Map.of(), Optional.empty());
    Instant now = Instant.now();
    boolean isWell = true;
    for (ClusterProcess process : processes) {
      Optional<String> fault = fault(folder, process, sight);
      String since = process.runs() ? since(process, now) : "";
      String role = sight.leader().equals(Optional.of(process.name())) ? ", leads" : "";
      String shown = since + role + fault.map(it -> (since.isEmpty() ? "" : ", ") + it).orElse("");
      terminal.print(LINE.formatted(process.name(), shown));
      isWell &= fault.isEmpty();
    }
    if (!runs) {
      boolean allEnded = processes.stream().allMatch(ClusterProcess::hasEnded);
      terminal.print(
          allEnded
              ? "nothing of this cluster runs; to start it: ./braid cluster up" + folder.option()
              : "no process of this cluster can be seen");
      return false;
    }
    folder
        .formerRoot()
        .ifPresent(
            before ->
                terminal.print(
                    LINE.formatted(
                        "moved",
                        "moved from "
                            + before
                            + ", where its processes still write checkpoints; to update its"
                            + " configuration: ./braid cluster up"
                            + folder.option())));
    return showUse(terminal, folder, sight) && isWell;
  }

  static String copy(ClusterFolder folder, Path original) {
    return folder.shown()
        + " is a copy of "
        + original
        + ", whose cluster is not touched: to use that one, give --folder "
        + Places.inShell(original.toString());
  }

  static String nothing(ClusterFolder folder) {
    return "no cluster runs in "
        + folder.shown()
        + "; to start one: ./braid cluster up"
        + folder.option();
  }

  private static String since(ClusterProcess process, Instant now) {
    return "process "
        + process.pid()
        + process
            .since()
            .map(since -> Math.max(0, Duration.between(since, now).toSeconds()))
            .map(seconds -> ", for " + Durations.inWords(seconds).strip())
            .orElse("");
  }

  /** Returns the fault of a process, if it has one. */
  private static Optional<String> fault(
      ClusterFolder folder, ClusterProcess process, ClusterSight sight) {
    return switch (process.state()) {
      case RUNS -> fault(process, sight);
      case STOPPED -> Optional.of("stopped (SIGSTOP); to resume it: kill -CONT " + process.pid());
      case GONE ->
          Optional.of(
              "does not run: it was killed or has ended; its log is "
                  + Places.shown(folder.log(process.name())));
      case STRANGER ->
          Optional.of(
              "does not run: its process number, "
                  + process.pid()
                  + ", belongs to another program");
      case UNKNOWN ->
          Optional.of(
              "process %d: it is uncertain whether it runs: %s"
                  .formatted(process.pid(), process.doubt()));
    };
  }

  private static Optional<String> fault(ClusterProcess process, ClusterSight sight) {
    if (process.isJobManager() && !sight.answers().containsKey(process.name())) {
      return Optional.of("does not answer");
    }
    // Without an answer from any JobManager, registrations are unknown.
    return process.isTaskManager() && sight.best().isPresent() && !sight.knows(process)
        ? Optional.of("not registered with the JobManager")
        : Optional.empty();
  }

  /** Shows how to use a cluster; returns whether a JobManager answers. */
  static boolean showUse(Terminal terminal, ClusterFolder folder, ClusterSight sight) {
    Optional<ClusterSight.Answer> answer = sight.best();
    if (answer.isEmpty()) {
      terminal.print("no JobManager answers at " + folder.webAddresses().get(0));
      return false;
    }
    ClusterOverview overview = answer.get().overview();
    terminal.print(LINE.formatted("web UI", answer.get().address()));
    if (Files.exists(folder.restKey())) {
      terminal.print(
          LINE.formatted("certificate", Places.shown(folder.restKey()) + ", for browsers"));
    }
    terminal.print(LINE.formatted("slots", slots(overview)));
    terminal.print(LINE.formatted("train", run(folder, overview)));
    terminal.print(LINE.formatted("end", "./braid cluster down" + folder.option()));
    return true;
  }

  private static String slots(ClusterOverview overview) {
    return "%d of %d free, %s"
        .formatted(
            overview.freeSlots(),
            overview.slots(),
            overview.jobs() == 1 ? "1 job" : overview.jobs() + " jobs");
  }

  private static String run(ClusterFolder folder, ClusterOverview overview) {
    // More workers would wait for slots. If no slot is free, suggest the number of all slots.
    int workers = overview.freeSlots() > 0 ? overview.freeSlots() : overview.slots();
    return "./braid flink"
        + folder.option()
        + " run "
        + Places.inShell(Installation.jarOfProcess().toString())
        + " train --workers "
        + Math.max(1, workers);
  }
}
