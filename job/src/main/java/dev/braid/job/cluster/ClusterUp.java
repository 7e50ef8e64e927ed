package dev.braid.job.cluster;

import dev.braid.job.cluster.FlinkJvm.Role;
import dev.braid.job.console.ExitCodes;
import dev.braid.job.console.Terminal;
import dev.braid.job.console.UsageException;
import dev.braid.job.rest.ClusterOverview;
import java.net.URI;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.TaskManagerOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Starts a cluster, or what is missing of one. */
@Command(
    name = "up",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    descriptionHeading = "%n",
    description =
        "Starts a cluster, and waits until all of its TaskManagers are there. Where one runs already,"
            + " starts those of its TaskManagers that have been killed, or more of them. Ctrl-C while it"
            + " starts leaves nothing running.",
    exitCodeListHeading = "%nExit codes%n",
    exitCodeList = {
      "0:the cluster runs",
      "1:it could not be started",
      "2:a mistake in the options, a folder that cannot be written to, or all of it runs already",
      "130:interrupted by Ctrl-C (SIGINT)"
    })
public final class ClusterUp implements Callable<Integer> {

  private static final int MOST_TASK_MANAGERS = 64;
  private static final int MOST_SLOTS = 64;
  private static final int LAST_PORT = 65_535;
  private static final long START_NANOS = Duration.ofMinutes(2).toNanos();
  private static final long POLL_MILLIS = 100;

  private final Terminal terminal;

  @Spec private CommandSpec spec;

  @Option(
      names = "--task-managers",
      paramLabel = "K",
      defaultValue = "2",
      description = {"How many TaskManagers, each a process.", "Default: ${DEFAULT-VALUE}"})
  private int taskManagers;

  @Option(
      names = "--slots",
      paramLabel = "S",
      defaultValue = "2",
      description = {
        "How many slots each has: a worker needs one. Their memory is made for a job that has all"
            + " slots.",
        "Default: ${DEFAULT-VALUE}"
      })
  private int slots;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = {
        "Of the web UI and the REST interface, on the loopback address.",
        "Default: the first that is free, from 8081"
      })
  private Integer port;

  @Option(
      names = "--prometheus-port",
      paramLabel = "PORT",
      description = {
        "Have each process export its metrics to Prometheus, at this port or one of the next. Flink's"
            + " reporter listens on all addresses of this machine, not only on the loopback address.",
        "Default: no metrics are exported"
      })
  private Integer prometheusPort;

  @Option(
      names = "-D",
      paramLabel = "KEY=VALUE",
      description = {
        "A setting of Flink's, as many as need be, before those of conf/config.yaml.",
        "Default: none"
      })
  private Map<String, String> settings = new LinkedHashMap<>();

  @Mixin private final FolderFlag flag = new FolderFlag();

  public ClusterUp(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    ClusterPlan plan = plan();
    Installation installation = Installation.ofProcess();
    ClusterFolder folder = flag.folder();
    try {
      return folder.locked(() -> up(folder, installation, plan));
    } catch (ClusterFailedException e) {
      System.err.println("braid: " + e.getMessage());
      return ExitCodes.FAILED;
    }
  }

  private int up(ClusterFolder folder, Installation installation, ClusterPlan plan)
      throws Exception {
    List<ClusterProcess> processes = folder.processes();
    return processes.stream().anyMatch(ClusterProcess::runs)
        ? complete(folder, installation, processes)
        : begin(folder, installation, plan, processes);
  }

  private ClusterPlan plan() {
    settings.keySet().forEach(ClusterUp::checkKey);
    return new ClusterPlan(
        ClusterPlan.inRange("--task-managers", taskManagers, 1, MOST_TASK_MANAGERS),
        ClusterPlan.inRange("--slots", slots, 1, MOST_SLOTS),
        prometheusPort == null
            ? OptionalInt.empty()
            : OptionalInt.of(
                ClusterPlan.inRange("--prometheus-port", prometheusPort, 1, LAST_PORT - 100)),
        settings);
  }

  private static void checkKey(String key) {
    try {
      ClusterConfig.checked(key);
    } catch (IllegalArgumentException e) {
      throw new UsageException("-D " + e.getMessage(), e);
    }
  }

  private int begin(
      ClusterFolder folder,
      Installation installation,
      ClusterPlan plan,
      List<ClusterProcess> before)
      throws Exception {
    ClusterDown.tellLost(terminal, before);
    ClusterEnd.of(folder, before);
    ClusterPorts ports = new ClusterPorts();
    int web =
        port == null ? ports.web() : ports.web(ClusterPlan.inRange("--port", port, 1, LAST_PORT));
    ClusterConfig shipped = ClusterConfig.shipped();
    folder.writeConfiguration(
        shipped
            .headed(
                "Of this cluster alone: './braid cluster up' writes this file whenever it starts one.")
            .with(plan.settings(shipped.settings(), folder, web, ports.any())));
    folder.clearLogs();
    terminal.print(
        "starting a JobManager and "
            + inWords(taskManagers)
            + " of "
            + (slots == 1 ? "1 slot" : slots + " slots")
            + " in "
            + folder.shown()
            + " ...");
    List<String> names = new ArrayList<>();
    for (int i = 1; i <= taskManagers; i++) {
      names.add(ClusterProcess.TASK_MANAGER + i);
    }
    return start(folder, installation, true, names, taskManagers);
  }

  private static String inWords(int taskManagers) {
    return taskManagers == 1 ? "1 TaskManager" : taskManagers + " TaskManagers";
  }

  private int complete(
      ClusterFolder folder, Installation installation, List<ClusterProcess> processes)
      throws Exception {
    if (processes.stream().noneMatch(process -> process.isJobManager() && process.runs())) {
      throw new UsageException(
          "in "
              + folder.shown()
              + " TaskManagers run without a JobManager: ./braid cluster down"
              + folder.option()
              + " ends them");
    }
    checkOnlyTaskManagers(folder);
    List<String> running =
        processes.stream()
            .filter(process -> process.isTaskManager() && process.runs())
            .map(ClusterProcess::name)
            .toList();
    long known = processes.stream().filter(ClusterProcess::isTaskManager).count();
    long wanted = isGiven("--task-managers") ? taskManagers : known;
    List<String> missing = new ArrayList<>();
    for (int i = 1; running.size() + missing.size() < wanted; i++) {
      String name = ClusterProcess.TASK_MANAGER + i;
      if (!running.contains(name)) {
        missing.add(name);
      }
    }
    if (missing.isEmpty()) {
      throw new UsageException(
          "a cluster runs in "
              + folder.shown()
              + " already, with "
              + inWords(running.size())
              + ": ./braid cluster status"
              + folder.option()
              + " tells more of it, ./braid cluster down"
              + folder.option()
              + " ends it");
    }
    ClusterDown.tellLost(terminal, processes);
    terminal.print("starting " + String.join(", ", missing) + " in " + folder.shown() + " ...");
    return start(folder, installation, false, missing, (int) wanted);
  }

  /** A cluster that runs keeps the settings that it has. */
  private void checkOnlyTaskManagers(ClusterFolder folder) {
    for (OptionSpec option : spec.commandLine().getParseResult().matchedOptions()) {
      if (!List.of("--task-managers", "--folder").contains(option.longestName())) {
        throw new UsageException(
            option.longestName()
                + ": a cluster runs in "
                + folder.shown()
                + " already, and keeps what it was started with: ./braid cluster down"
                + folder.option()
                + " ends it");
      }
    }
  }

  private boolean isGiven(String option) {
    return spec.commandLine().getParseResult().hasMatchedOption(option);
  }

  private int start(
      ClusterFolder folder,
      Installation installation,
      boolean withJobManager,
      List<String> names,
      int expected)
      throws Exception {
    Files.createDirectories(folder.tmp());
    Configuration configuration = folder.configuration();
    FlinkJvm jvm = new FlinkJvm(installation.lib(), folder.conf(), configuration, folder.logging());
    // Each takes a second, and there is more than one core.
    Process ofTaskManager =
        FlinkMemory.ask(FlinkMemory.OF_TASK_MANAGER, installation.lib(), folder.conf());
    Optional<Process> ofJobManager =
        withJobManager
            ? Optional.of(
                FlinkMemory.ask(FlinkMemory.OF_JOB_MANAGER, installation.lib(), folder.conf()))
            : Optional.empty();
    try (ClusterStart start = new ClusterStart(folder, jvm, terminal)) {
      if (ofJobManager.isPresent()) {
        start.start(
            ClusterProcess.JOB_MANAGER,
            Role.JOB_MANAGER,
            FlinkMemory.answer(ofJobManager.get()),
            List.of());
      }
      FlinkMemory memory = FlinkMemory.answer(ofTaskManager);
      for (String name : names) {
        start.start(
            name, Role.TASK_MANAGER, memory, List.of("-D", "taskmanager.resource-id=" + name));
      }
      if (!await(start, folder, expected)) {
        return ExitCodes.INTERRUPTED;
      }
      start.succeed();
      terminal.endLine();
      ClusterStatus.showUse(terminal, folder);
      return start.interrupted() ? ExitCodes.INTERRUPTED : ExitCodes.OK;
    }
  }

  /** Waits until all are there; false if that is interrupted. */
  private boolean await(ClusterStart start, ClusterFolder folder, int expected)
      throws ClusterFailedException, InterruptedException {
    long deadline = System.nanoTime() + START_NANOS;
    URI address = folder.webAddresses().get(0);
    int slotsOfEach = folder.configuration().get(TaskManagerOptions.NUM_TASK_SLOTS);
    String said = "";
    while (!start.interrupted()) {
      start.check();
      Optional<ClusterOverview> overview = ClusterStatus.overview(address);
      int registered = overview.map(ClusterOverview::taskManagers).orElse(0);
      // A TaskManager tells of its slots a moment after itself.
      if (overview.filter(it -> it.slots() >= expected * slotsOfEach).isPresent()) {
        return true;
      }
      String progress =
          overview.isEmpty()
              ? "waiting for the JobManager at " + address
              : "waiting for TaskManagers: %d of %d are there".formatted(registered, expected);
      if (!progress.equals(said)) {
        show(progress);
        said = progress;
      }
      if (System.nanoTime() - deadline > 0) {
        throw new ClusterFailedException(
            "the cluster did not come up in two minutes: %d of %d TaskManagers are there; logs are in %s"
                .formatted(registered, expected, folder.shown()));
      }
      Thread.sleep(POLL_MILLIS);
    }
    return false;
  }

  private void show(String progress) {
    if (terminal.isInteractive()) {
      terminal.update(progress);
    } else {
      terminal.print(progress);
    }
  }
}
