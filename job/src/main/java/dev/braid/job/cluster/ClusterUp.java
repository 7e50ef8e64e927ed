package dev.braid.job.cluster;

import dev.braid.job.console.ExitCodes;
import dev.braid.job.console.Terminal;
import dev.braid.job.console.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.apache.flink.configuration.HighAvailabilityOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.SecurityOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Command {@code braid cluster up}: starts a cluster, or the missing processes of one. */
@Command(
    name = "up",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = {
      "Starts a cluster and waits until all of its TaskManagers are registered.",
      "",
      "If the cluster runs already, starts its TaskManagers that have been killed, or additional"
          + " ones. Ctrl-C during the start stops what it has started."
    },
    exitCodeListHeading = "%nExit codes%n",
    exitCodeList = {
      "0:the cluster runs",
      "1:it could not be started",
      "2:invalid options, a folder that cannot be written to, or all of the cluster "
          + "runs already",
      "130:interrupted by Ctrl-C (SIGINT)"
    })
public final class ClusterUp implements Callable<Integer> {

  private static final int MOST_TASK_MANAGERS = 64;
  private static final int MOST_SLOTS = 64;
  private static final int LAST_PORT = 65_535;
  private static final int ANY_PORT = 0;

  private final Terminal terminal;

  @Spec private CommandSpec spec;

  @Option(
      names = "--task-managers",
      paramLabel = "K",
      defaultValue = "2",
      description = {"Number of TaskManagers, each a process.", "Default: ${DEFAULT-VALUE}"})
  private int taskManagers;

  @Option(
      names = "--slots",
      paramLabel = "S",
      defaultValue = "2",
      description = {
        "Number of slots of each TaskManager; a worker needs one. The memory is "
            + "configured for a job that uses all slots.",
        "Default: ${DEFAULT-VALUE}"
      })
  private int slots;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = {
        "Port of the web UI and the REST interface, on the loopback address; 0 for any "
            + "free port.",
        "Default: the first free port from 8081"
      })
  private Integer port;

  @Option(
      names = "--prometheus-port",
      paramLabel = "PORT",
      description = {
        "First port at which processes export metrics to Prometheus: each process "
            + "takes this port or one of the next. Flink's reporter listens on all addresses "
            + "of this machine, not only on the loopback address.",
        "Default: export no metrics"
      })
  private Integer prometheusPort;

  @Option(
      names = "--ha",
      description = {
        "Start two JobManagers, and ZooKeeper, which elects the leader. Jobs continue "
            + "if one JobManager is killed.",
        "Default: one JobManager, whose jobs end with it"
      })
  private boolean highAvailability;

  @Option(
      names = "--tls",
      description = {
        "Encrypt all connections between the cluster's processes and its clients, and "
            + "refuse clients without its key. The key is in the cluster's folder, readable "
            + "only by its owner. See docs/how-to/tls.md.",
        "Default: trust every program that can reach the loopback address of this machine"
      })
  private boolean tls;

  @Option(
      names = "-D",
      paramLabel = "KEY=VALUE",
      description = {
        "Flink setting that overrides conf/config.yaml; can be repeated.",
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
    ClusterFolder folder = flag.folder();
    try {
      return folder.locked(() -> up(folder, plan));
    } catch (ClusterFailedException e) {
      System.err.println("braid: " + e.getMessage());
      return ExitCodes.FAILED;
    }
  }

  private int up(ClusterFolder folder, ClusterPlan plan) throws Exception {
    List<ClusterProcess> processes = folder.processes();
    Optional<Path> original = folder.original(processes);
    if (original.isEmpty()) {
      checkCertain(folder, processes);
    }
    Installation installation = Installation.ofProcess();
    if (original.isPresent()) {
      terminal.print(ClusterStatus.copy(folder, original.get()));
      folder.forget(processes);
      return begin(folder, installation, plan, List.of());
    }
    return processes.stream().anyMatch(ClusterProcess::runs)
        ? complete(folder, installation, processes)
        : begin(folder, installation, plan, processes);
  }

  private static void checkCertain(ClusterFolder folder, List<ClusterProcess> processes)
      throws ClusterFailedException {
    for (ClusterProcess process : processes) {
      if (process.state() == ClusterProcess.State.UNKNOWN) {
        throw new ClusterFailedException(
            "it is uncertain whether %s runs: %s; if it does not, remove %s"
                .formatted(process.shown(), process.doubt(), folder.pidFile(process.name())));
      }
    }
  }

  private ClusterPlan plan() {
    settings.forEach(ClusterUp::checkSetting);
    if (tls && highAvailability) {
      throw new UsageException(
          "--tls and --ha: use only one of them: ZooKeeper would be open to every user "
              + "of this machine");
    }
    if (port != null) {
      ClusterPlan.inRange("--port", port, 0, LAST_PORT);
    }
    return new ClusterPlan(
        ClusterPlan.inRange("--task-managers", taskManagers, 1, MOST_TASK_MANAGERS),
        ClusterPlan.inRange("--slots", slots, 1, MOST_SLOTS),
        prometheusPort == null
            ? OptionalInt.empty()
            : OptionalInt.of(
                ClusterPlan.inRange("--prometheus-port", prometheusPort, 1, LAST_PORT - 100)),
        tls,
        settings);
  }

  private static void checkSetting(String key, String value) {
    if (key.equals(RestOptions.PORT.key())) {
      throw new UsageException("-D " + key + ": use --port instead");
    }
    try {
      ClusterConfig.check(key, value);
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
    folder.makeFolders();
    ClusterDown.tellLost(terminal, before);
    ClusterEnd.endAll(folder, before);
    ClusterPorts ports = new ClusterPorts();
    int web = webPort(ports);
    ClusterConfig shipped = ClusterConfig.shipped();
    List<Integer> webPorts = highAvailability ? List.of(web, ports.web()) : List.of(web);
    OptionalInt zooKeeperPort =
        highAvailability ? OptionalInt.of(ports.any()) : OptionalInt.empty();
    if (zooKeeperPort.isPresent()) {
      folder.makeHighAvailability(zooKeeperPort.getAsInt());
    }
    ClusterFolder.remove(folder.tls());
    Map<String, String> own =
        plan.settings(
            shipped.settings(),
            folder,
            new ClusterPlan.Ports(webPorts, ports.any(), zooKeeperPort));
    folder.writeConfiguration(
        shipped
            .headed("Only for this cluster: './braid cluster up' writes this file at each start.")
            .with(tls ? ClusterKeys.make(folder) : Map.of())
            .with(own)
            .with(folder.newIdentity()));
    folder.clearLogs();
    terminal.print(
        "starting "
            + (highAvailability ? "ZooKeeper, 2 JobManagers and " : "a JobManager and ")
            + inWords(taskManagers)
            + " of "
            + (slots == 1 ? "1 slot" : slots + " slots")
            + " in "
            + folder.shown()
            + " ...");
    List<ClusterMember> all = ClusterMember.all(folder, ClusterMember.taskManagers(taskManagers));
    plan.reporters().ifPresent(terminal::print);
    return start(folder, installation, all, taskManagers);
  }

  private int webPort(ClusterPorts ports) {
    if (port == null) {
      return ports.web();
    }
    return port == ANY_PORT ? ports.any() : ports.web(port);
  }

  private static String inWords(int taskManagers) {
    return taskManagers == 1 ? "1 TaskManager" : taskManagers + " TaskManagers";
  }

  private int complete(
      ClusterFolder folder, Installation installation, List<ClusterProcess> processes)
      throws Exception {
    checkOnlyTaskManagers(folder);
    folder.makeFolders();
    Optional<Path> before = folder.formerRoot();
    if (before.isPresent()) {
      folder.adoptMove();
      terminal.print(
          "the folder was moved from " + before.get() + ": its configuration is updated");
    }
    List<String> running =
        processes.stream().filter(ClusterProcess::runs).map(ClusterProcess::name).toList();
    int known = (int) processes.stream().filter(ClusterProcess::isTaskManager).count();
    int wanted = isGiven("--task-managers") ? Math.max(taskManagers, known) : known;
    List<ClusterMember> missing =
        ClusterMember.all(folder, ClusterMember.taskManagers(wanted)).stream()
            .filter(member -> !running.contains(member.name()))
            .toList();
    if (missing.isEmpty() && before.isPresent()) {
      return show(folder);
    }
    if (missing.isEmpty()) {
      throw new UsageException(
          "a cluster runs in "
              + folder.shown()
              + " already, with "
              + inWords(wanted)
              + "; to see it: ./braid cluster status"
              + folder.option()
              + "; to stop it: ./braid cluster down"
              + folder.option());
    }
    ClusterDown.tellLost(terminal, processes);
    String names = missing.stream().map(ClusterMember::name).collect(Collectors.joining(", "));
    terminal.print("starting " + names + " in " + folder.shown() + " ...");
    return start(folder, installation, missing, wanted);
  }

  /**
   * Refuses options other than those for TaskManagers, because a running cluster keeps its
   * settings; {@code --tls} and {@code --ha} may be repeated.
   */
  private void checkOnlyTaskManagers(ClusterFolder folder) {
    for (OptionSpec option : spec.commandLine().getParseResult().matchedOptions()) {
      boolean isSo =
          switch (option.longestName()) {
            case "--task-managers", "--folder" -> true;
            case "--tls" -> folder.configuration().get(SecurityOptions.SSL_REST_ENABLED);
            case "--ha" -> folder.configuration().contains(HighAvailabilityOptions.HA_MODE);
            default -> false;
          };
      if (!isSo) {
        throw new UsageException(
            option.longestName()
                + ": a cluster runs in "
                + folder.shown()
                + " already and keeps its settings; to stop it: ./braid cluster down"
                + folder.option());
      }
    }
  }

  private boolean isGiven(String option) {
    return spec.commandLine().getParseResult().hasMatchedOption(option);
  }

  private int start(
      ClusterFolder folder, Installation installation, List<ClusterMember> members, int expected)
      throws Exception {
    if (!new ClusterLaunch(terminal, folder, installation).start(members, expected)) {
      return ExitCodes.INTERRUPTED;
    }
    return show(folder);
  }

  private int show(ClusterFolder folder) throws IOException, InterruptedException {
    ClusterStatus.showUse(terminal, folder, ClusterSight.of(folder, folder.processes()));
    return ExitCodes.OK;
  }
}
