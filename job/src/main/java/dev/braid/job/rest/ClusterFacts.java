package dev.braid.job.rest;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;

/**
 * Properties of a cluster, as it reports them.
 *
 * @param flinkVersion the JobManager's version of Flink
 * @param settings the JobManager's settings, without secrets; mostly equal to the TaskManagers'
 * @param classPath class path of the JobManager's process
 * @param taskManagers registered TaskManagers
 */
record ClusterFacts(
    String flinkVersion,
    Configuration settings,
    List<String> classPath,
    List<TaskManager> taskManagers) {

  private static final String SETTINGS = "/jobmanager/config";

  /**
   * A TaskManager.
   *
   * @param slots number of its slots, free or not
   * @param networkMemory for buffers between its tasks and others
   */
  record TaskManager(int slots, MemorySize networkMemory) {}

  /** Returns the JobManager's settings. */
  static Configuration settings(FlinkRest flink) throws RestException, InterruptedException {
    return settings(flink.get(SETTINGS));
  }

  private static Configuration settings(JsonNode answer) throws RestException {
    Map<String, String> known = new HashMap<>();
    for (JsonNode setting : Answer.list(answer)) {
      known.put(Answer.text(setting, "key"), Answer.text(setting, "value"));
    }
    return Configuration.fromMap(known);
  }

  static ClusterFacts of(FlinkRest flink) throws RestException, InterruptedException {
    return of(
        flink.get("/config"),
        flink.get(SETTINGS),
        flink.get("/jobmanager/environment"),
        flink.get("/taskmanagers"));
  }

  private static ClusterFacts of(
      JsonNode config, JsonNode settings, JsonNode environment, JsonNode taskManagers)
      throws RestException {
    List<TaskManager> registered = new ArrayList<>();
    for (JsonNode one : Answer.list(taskManagers.path("taskmanagers"))) {
      registered.add(
          new TaskManager(
              Answer.count(one, "slotsNumber"),
              new MemorySize(Answer.size(one.path("memoryConfiguration"), "networkMemory"))));
    }
    return new ClusterFacts(
        Answer.text(config, "flink-version"),
        settings(settings),
        Answer.texts(environment, "classpath"),
        List.copyOf(registered));
  }
}
