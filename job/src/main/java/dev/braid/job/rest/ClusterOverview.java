package dev.braid.job.rest;

import com.fasterxml.jackson.databind.JsonNode;

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
}
