package dev.braid.job.rest;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;

/**
 * What runs on a cluster.
 *
 * @param taskManagers how many have registered
 * @param slots of all of them
 * @param freeSlots that no job has
 * @param jobs that run, or wait to
 */
public record ClusterOverview(int taskManagers, int slots, int freeSlots, int jobs) {

  static ClusterOverview of(JsonNode answer) throws IOException {
    return new ClusterOverview(
        Answer.count(answer, "taskmanagers"),
        Answer.count(answer, "slots-total"),
        Answer.count(answer, "slots-available"),
        Answer.count(answer, "jobs-running"));
  }
}
