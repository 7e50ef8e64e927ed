package dev.braid.job.rest;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * State of a job at one moment, as its cluster reports it; a cluster may update it only every few
 * seconds.
 *
 * @param name the job's name
 * @param state Flink's name of the state
 * @param slots number of slots that it needs
 * @param tasks number of tasks in each state, by Flink's names
 * @param accumulators reports of tasks, by name
 * @param failures the latest failures, the newest first
 * @param checkpoints state of its checkpoints
 * @param cluster resources and jobs of its cluster; empty if not requested
 * @param isSettled whether it ended longer ago than Flink caches answers, so that failures and
 *     checkpoints are final
 */
public record JobSight(
    String name,
    String state,
    int slots,
    Map<String, Integer> tasks,
    Map<String, String> accumulators,
    List<JobFailure> failures,
    CheckpointSight checkpoints,
    Optional<ClusterOverview> cluster,
    boolean isSettled) {

  private static final String FINISHED = "FINISHED";
  private static final String CANCELED = "CANCELED";
  private static final String FAILED = "FAILED";
  private static final Set<String> OVER = Set.of(FINISHED, CANCELED, FAILED);

  /** Parses {@code /jobs/ID} and {@code /jobs/ID/accumulators}. */
  static JobSight parse(
      JsonNode job, JsonNode accumulators, List<JobFailure> failures, CheckpointSight checkpoints) {
    Map<String, Integer> tasks = new HashMap<>();
    int slots = 0;
    for (JsonNode vertex : job.path("vertices")) {
      // All operators share slots.
      slots = Math.max(slots, vertex.path("parallelism").asInt());
      vertex
          .path("tasks")
          .properties()
          .forEach(
              task ->
                  tasks.merge(
                      task.getKey().toUpperCase(Locale.ROOT),
                      task.getValue().asInt(),
                      Integer::sum));
    }
    Map<String, String> said = new HashMap<>();
    for (JsonNode accumulator : accumulators.path("user-task-accumulators")) {
      said.put(accumulator.path("name").asText(), accumulator.path("value").asText());
    }
    return new JobSight(
        job.path("name").asText(),
        job.path("state").asText(),
        slots,
        Map.copyOf(tasks),
        Map.copyOf(said),
        failures,
        checkpoints,
        Optional.empty(),
        false);
  }

  /** Returns this state with that of the job's cluster. */
  JobSight on(ClusterOverview itsCluster) {
    return new JobSight(
        name,
        state,
        slots,
        tasks,
        accumulators,
        failures,
        checkpoints,
        Optional.of(itsCluster),
        isSettled);
  }

  /** Returns this state, marked as settled. */
  JobSight settled() {
    return new JobSight(
        name, state, slots, tasks, accumulators, failures, checkpoints, cluster, true);
  }

  /** Returns the latest failure, which is the reason if the job has failed. */
  public JobFailure lastFailure() {
    return failures.isEmpty()
        ? new JobFailure(0, CauseChain.parse("Flink gives no reason"), Optional.empty())
        : failures.get(0);
  }

  public boolean hasFinished() {
    return state.equals(FINISHED);
  }

  public boolean wasCancelled() {
    return state.equals(CANCELED);
  }

  public boolean hasFailed() {
    return state.equals(FAILED);
  }

  /** Returns whether the job has reached a final state. */
  public boolean isOver() {
    return isOver(state);
  }

  static boolean isOver(String state) {
    return OVER.contains(state);
  }

  /** Returns whether the job has ended or is about to end. */
  public boolean isEnding() {
    return isOver() || state.equals("FAILING") || state.equals("CANCELLING");
  }

  public int tasksIn(String taskState) {
    return tasks.getOrDefault(taskState, 0);
  }

  public int allTasks() {
    return tasks.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Returns whether all tasks run or have finished. */
  public boolean allTasksRun() {
    return !tasks.isEmpty() && tasksIn("RUNNING") + tasksIn("FINISHED") == allTasks();
  }

  /** Returns whether the job lacks slots. Flink deploys no task before it has all slots. */
  public boolean waitsForSlots() {
    boolean isWaiting =
        tasksIn("SCHEDULED") > 0 || state.equals("CREATED") || lastFailure().isForSlots();
    return isWaiting && tasksIn("RUNNING") + tasksIn("DEPLOYING") + tasksIn("INITIALIZING") == 0;
  }
}
