package dev.braid.job.rest;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.stream.StreamSupport;

/**
 * State of a job's checkpoints.
 *
 * @param newest place of the newest one that is kept, including savepoints
 * @param savepoint place of the newest savepoint
 * @param failedSince number of checkpoints that have failed since the last completed one
 * @param whyFailed Flink's reason for the last of these failures
 * @param restored place of the one that the job was last restored from
 */
public record CheckpointSight(
    Optional<String> newest,
    Optional<String> savepoint,
    int failedSince,
    Optional<String> whyFailed,
    Optional<String> restored) {

  /** Nothing is known. */
  public static final CheckpointSight NONE =
      new CheckpointSight(
          Optional.empty(), Optional.empty(), 0, Optional.empty(), Optional.empty());

  /** Parses {@code /jobs/ID/checkpoints}. */
  static CheckpointSight parse(JsonNode checkpoints) {
    JsonNode latest = checkpoints.path("latest");
    JsonNode completed = latest.path("completed");
    JsonNode savepoint = latest.path("savepoint");
    boolean savepointIsNewer = savepoint.path("id").asLong(-1) > completed.path("id").asLong(-1);
    long lastGood = Math.max(completed.path("id").asLong(-1), savepoint.path("id").asLong(-1));
    int failedSince =
        Math.toIntExact(
            StreamSupport.stream(checkpoints.path("history").spliterator(), false)
                .filter(entry -> entry.path("status").asText().equals("FAILED"))
                .filter(entry -> entry.path("id").asLong() > lastGood)
                .count());
    Optional<String> ofSavepoint = place(savepoint);
    return new CheckpointSight(
        savepointIsNewer ? ofSavepoint : place(completed).or(() -> ofSavepoint),
        ofSavepoint,
        failedSince,
        failedSince == 0
            ? Optional.empty()
            : Optional.of(latest.path("failed").path("failure_message").asText(""))
                .filter(message -> !message.isBlank() && !message.equals("null")),
        place(latest.path("restored")));
  }

  /**
   * Returns a checkpoint's place. One in the JobManager's memory has none, and neither has one that
   * was discarded.
   */
  private static Optional<String> place(JsonNode checkpoint) {
    return checkpoint.path("discarded").asBoolean()
        ? Optional.empty()
        : Optional.of(checkpoint.path("external_path").asText(""))
            .filter(path -> path.contains("/"));
  }
}
