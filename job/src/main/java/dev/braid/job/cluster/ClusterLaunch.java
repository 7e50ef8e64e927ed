package dev.braid.job.cluster;

import dev.braid.job.cluster.FlinkJvm.Role;
import dev.braid.job.console.Terminal;
import dev.braid.job.rest.ClusterOverview;
import dev.braid.job.rest.FlinkRest;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.TaskManagerOptions;

/** Launch of members of a cluster: starts them and waits until all are connected. */
final class ClusterLaunch {

  private static final long MOST_NANOS = Duration.ofMinutes(2).toNanos();
  private static final long POLL_MILLIS = 100;

  /** Memory options of ZooKeeper, for which Flink computes none. */
  private static final FlinkMemory OF_ZOOKEEPER =
      new FlinkMemory(List.of("-Xmx128m", "-XX:+UseSerialGC"), List.of());

  private final Terminal terminal;
  private final ClusterFolder folder;
  private final Configuration settings;
  private final FlinkJvm jvm;
  private final List<FlinkRest> jobManagers;
  private String said = "";

  ClusterLaunch(Terminal terminal, ClusterFolder folder, Installation installation) {
    this.terminal = terminal;
    this.folder = folder;
    this.settings = folder.configuration();
    this.jobManagers = folder.jobManagers();
    this.jvm = new FlinkJvm(installation.lib(), folder.conf(), settings, folder.logging());
  }

  /**
   * Starts members of a cluster. Returns false if interrupted; then none of them runs.
   *
   * @param taskManagers total number of TaskManagers expected afterwards
   */
  boolean start(List<ClusterMember> members, int taskManagers)
      throws ClusterFailedException, IOException, InterruptedException {
    ClusterFolder.createPrivate(folder.tmp());
    Map<Role, FlinkMemory> memory = memory(members);
    try (ClusterStart start = new ClusterStart(folder, jvm, terminal)) {
      for (ClusterMember member : members) {
        start.start(member, memory.get(member.role()));
      }
      if (await(start, taskManagers)) {
        start.succeed();
        terminal.endLine();
      }
      return !start.interrupted();
    }
  }

  /**
   * Computes the memory of all roles in parallel, because each computation takes about a second.
   */
  private Map<Role, FlinkMemory> memory(List<ClusterMember> members)
      throws IOException, InterruptedException {
    Map<Role, Process> asked = new EnumMap<>(Role.class);
    for (ClusterMember member : members) {
      if (member.role() != Role.ZOOKEEPER && !asked.containsKey(member.role())) {
        asked.put(member.role(), FlinkMemory.ask(member.role(), jvm));
      }
    }
    Map<Role, FlinkMemory> memory = new EnumMap<>(Role.class);
    memory.put(Role.ZOOKEEPER, OF_ZOOKEEPER);
    for (Map.Entry<Role, Process> one : asked.entrySet()) {
      memory.put(one.getKey(), FlinkMemory.answer(one.getValue()));
    }
    return memory;
  }

  /** Waits until all members are ready; returns false if interrupted. */
  private boolean await(ClusterStart start, int taskManagers)
      throws ClusterFailedException, InterruptedException {
    // Wait for slots, because a TaskManager reports them a moment after it registers.
    int slots = taskManagers * settings.get(TaskManagerOptions.NUM_TASK_SLOTS);
    long deadline = System.nanoTime() + MOST_NANOS;
    while (!start.interrupted()) {
      start.check();
      Optional<ClusterOverview> overview = overviewOfLast();
      if (overview.filter(it -> it.slots() >= slots).isPresent()) {
        return true;
      }
      String missing =
          overview
              .map(
                  it ->
                      "TaskManagers: %d of %d are ready".formatted(it.taskManagers(), taskManagers))
              .orElse("the JobManager");
      show("waiting for " + missing);
      if (System.nanoTime() - deadline > 0) {
        throw new ClusterFailedException(
            "waited two minutes for " + missing + "; logs are in " + folder.shown());
      }
      Thread.sleep(POLL_MILLIS);
    }
    return false;
  }

  /** Returns the last JobManager's overview; empty unless all answer. */
  private Optional<ClusterOverview> overviewOfLast() throws InterruptedException {
    Optional<ClusterOverview> last = Optional.empty();
    for (FlinkRest jobManager : jobManagers) {
      last = ClusterSight.answer(folder, jobManager).map(ClusterSight.Answer::overview);
      if (last.isEmpty()) {
        return last;
      }
    }
    return last;
  }

  private void show(String progress) {
    if (progress.equals(said)) {
      return;
    }
    said = progress;
    if (terminal.isInteractive()) {
      terminal.update(progress);
    } else {
      terminal.print(progress);
    }
  }
}
