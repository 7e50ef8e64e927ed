package dev.braid.job.rest;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;
import java.util.TreeSet;

/**
 * What runs on a cluster.
 *
 * @param taskManagers how many have registered
 * @param slots of all of them
 * @param freeSlots that no job has
 * @param jobs that run, or wait to
 */
public record ClusterOverview(int taskManagers, int slots, int freeSlots, int jobs) {

  /** That of a cluster, as it is now. */
  public static ClusterOverview of(FlinkRest flink) throws RestException, InterruptedException {
    JsonNode answer = flink.get("/overview");
    return new ClusterOverview(
        Answer.count(answer, "taskmanagers"),
        Answer.count(answer, "slots-total"),
        Answer.count(answer, "slots-available"),
        Answer.count(answer, "jobs-running"));
  }

  /** Returns the ids of the TaskManagers that have registered. */
  public static Set<String> taskManagers(FlinkRest flink)
      throws RestException, InterruptedException {
    Set<String> ids = new TreeSet<>();
    for (JsonNode one : Answer.list(flink.get("/taskmanagers").path("taskmanagers"))) {
      ids.add(Answer.text(one, "id"));
    }
    return ids;
  }
}
