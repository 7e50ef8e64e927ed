package dev.braid.job.cluster;

import dev.braid.job.cluster.FlinkJvm.Role;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.HighAvailabilityOptions;

/**
 * Planned process of a cluster.
 *
 * @param arguments arguments of its main class, in addition to those of its role
 */
record ClusterMember(String name, Role role, List<String> arguments) {

  static final String JOB_MANAGER = "jobmanager";
  static final String TASK_MANAGER = "taskmanager-";
  static final String ZOOKEEPER = "zookeeper";

  /** Returns all members of a cluster, in the order in which they are started. */
  static List<ClusterMember> all(ClusterFolder folder, List<String> taskManagers) {
    Configuration settings = folder.configuration();
    List<ClusterMember> all = new ArrayList<>();
    if (settings.contains(HighAvailabilityOptions.HA_ZOOKEEPER_QUORUM)) {
      all.add(
          new ClusterMember(
              ZOOKEEPER,
              Role.ZOOKEEPER,
              List.of("--zkConfigFile", folder.zooKeeperConfig().toString(), "--peerId", "1")));
    }
    List<URI> addresses = folder.webAddresses();
    for (int i = 0; i < addresses.size(); i++) {
      all.add(
          new ClusterMember(
              jobManager(i),
              Role.JOB_MANAGER,
              List.of("-D", "rest.port=" + addresses.get(i).getPort())));
    }
    taskManagers.forEach(
        name ->
            all.add(
                new ClusterMember(
                    name, Role.TASK_MANAGER, List.of("-D", "taskmanager.resource-id=" + name))));
    return all;
  }

  /**
   * Returns the name of a JobManager.
   *
   * @param index from 0
   */
  static String jobManager(int index) {
    return index == 0 ? JOB_MANAGER : JOB_MANAGER + "-" + (index + 1);
  }

  /** Returns the names of a number of TaskManagers. */
  static List<String> taskManagers(int count) {
    List<String> names = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      names.add(TASK_MANAGER + i);
    }
    return names;
  }
}
