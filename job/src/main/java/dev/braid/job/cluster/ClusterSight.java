package dev.braid.job.cluster;

import dev.braid.job.cluster.ClusterProcess.State;
import dev.braid.job.rest.ClusterOverview;
import dev.braid.job.rest.ClusterRest;
import dev.braid.job.rest.ClusterSettings;
import dev.braid.job.rest.FlinkRest;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.HighAvailabilityOptions;

/**
 * Answers of the JobManagers of a cluster.
 *
 * @param answers answer of each JobManager that answers, by name
 * @param leader the name of the JobManager that leads; empty without high availability, or while
 *     none leads
 */
record ClusterSight(Map<String, Answer> answers, Optional<String> leader) {

  /**
   * Answer of a JobManager.
   *
   * @param address its URL
   * @param taskManagers ids of those that have registered
   * @param checkpoints default folder for checkpoints
   */
  record Answer(
      String address,
      ClusterOverview overview,
      Set<String> taskManagers,
      Optional<String> checkpoints) {}

  /** Asks all JobManagers that run. */
  static ClusterSight of(ClusterFolder folder, List<ClusterProcess> processes)
      throws InterruptedException {
    Map<String, FlinkRest> addresses = new LinkedHashMap<>();
    for (FlinkRest jobManager : folder.jobManagers()) {
      addresses.put(ClusterMember.jobManager(addresses.size()), jobManager);
    }
    Map<String, Answer> answers = new LinkedHashMap<>();
    for (ClusterProcess process : processes) {
      FlinkRest asked = addresses.get(process.name());
      // A stopped process accepts connections and never answers.
      if (asked != null && process.state() == State.RUNS) {
        answer(folder, asked).ifPresent(it -> answers.put(process.name(), it));
      }
    }
    return new ClusterSight(answers, leader(folder.configuration(), answers));
  }

  /**
   * Returns the answer of a JobManager; empty if it does not answer. If it has ended, or does not
   * listen yet, a Flink of another cluster may answer at its port; that answer is ignored.
   */
  static Optional<Answer> answer(ClusterFolder folder, FlinkRest jobManager)
      throws InterruptedException {
    try {
      Configuration settings = ClusterSettings.of(jobManager);
      if (!ClusterFolder.id(settings).equals(ClusterFolder.id(folder.configuration()))) {
        return Optional.empty();
      }
      return Optional.of(
          new Answer(
              jobManager.address(),
              ClusterOverview.of(jobManager),
              ClusterOverview.taskManagers(jobManager),
              settings.getOptional(CheckpointingOptions.CHECKPOINTS_DIRECTORY)));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static Optional<String> leader(Configuration settings, Map<String, Answer> answers) {
    if (!settings.contains(HighAvailabilityOptions.HA_ZOOKEEPER_QUORUM) || answers.isEmpty()) {
      return Optional.empty();
    }
    try (ClusterRest leading = ClusterRest.of(settings)) {
      String address = leading.rest().address();
      return answers.entrySet().stream()
          .filter(it -> it.getValue().address().equals(address))
          .map(Map.Entry::getKey)
          .findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Returns the leader's answer, or else the first one; empty if no JobManager answers. */
  Optional<Answer> best() {
    return leader.map(answers::get).or(() -> answers.values().stream().findFirst());
  }

  /** Returns whether a TaskManager has registered with the JobManager. */
  boolean knows(ClusterProcess taskManager) {
    return best().filter(it -> it.taskManagers().contains(taskManager.name())).isPresent();
  }
}
