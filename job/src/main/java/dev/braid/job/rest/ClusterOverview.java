package dev.braid.job.rest;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;
import java.util.TreeSet;

/**
 * Resources and jobs of a cluster.
 *
 * @param taskManagers number of registered TaskManagers
 * @param slots number of slots of all TaskManagers
 * @param freeSlots number of slots without a job
 * @param jobs number of jobs that run or wait for slots
 */
public record ClusterOverview(int taskManagers, int slots, int freeSlots, int jobs) {

  /** Returns the current overview of a cluster. */
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
