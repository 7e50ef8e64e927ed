package dev.braid.job.rest;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A job at one moment, as its cluster shows it. (A cluster looks anew every few seconds only.)
 *
 * @param name what it is called
 * @param state as Flink names it
 * @param slots how many it needs
 * @param tasks how many there are of each state, as Flink names it
 * @param accumulators what tasks say, by their names
 * @param failures the latest ones, the newest first
 * @param checkpoints what has become of them
 * @param cluster what runs on it, and its slots; none where that was not asked for
 * @param isSettled whether it has been over for longer than Flink keeps answers, so that what is
 *     known of its failures and checkpoints is final
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

  /** Reads {@code /jobs/ID} and {@code /jobs/ID/accumulators}. */
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

  /** The same, with what else is known of its cluster. */
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

  /** Returns the same job as one that has been over for some time. */
  JobSight settled() {
    return new JobSight(
        name, state, slots, tasks, accumulators, failures, checkpoints, cluster, true);
  }

  /** The latest failure; of a job that has failed, why. */
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

  /** Whether nothing more becomes of it. */
  public boolean isOver() {
    return isOver(state);
  }

  static boolean isOver(String state) {
    return OVER.contains(state);
  }

  /** Whether Flink is about to end it. */
  public boolean isEnding() {
    return isOver() || state.equals("FAILING") || state.equals("CANCELLING");
  }

  public int tasksIn(String taskState) {
    return tasks.getOrDefault(taskState, 0);
  }

  public int allTasks() {
    return tasks.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Whether all run, or have done what they had to. */
  public boolean allTasksRun() {
    return !tasks.isEmpty() && tasksIn("RUNNING") + tasksIn("FINISHED") == allTasks();
  }

  /** Whether it lacks slots: Flink deploys nothing before it has all of them. */
  public boolean waitsForSlots() {
    boolean isWaiting =
        tasksIn("SCHEDULED") > 0 || state.equals("CREATED") || lastFailure().isForSlots();
    return isWaiting && tasksIn("RUNNING") + tasksIn("DEPLOYING") + tasksIn("INITIALIZING") == 0;
  }
}
