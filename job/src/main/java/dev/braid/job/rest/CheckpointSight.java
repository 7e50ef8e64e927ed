package dev.braid.job.rest;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.stream.StreamSupport;

/**
 * What has become of a job's checkpoints.
 *
 * @param completed how many were completed, savepoints among them
 * @param newest where the newest one is that is kept, a savepoint or not
 * @param savepoint where the newest savepoint is
 * @param failedSince how many of the latest ones failed, one after the other, since one was
 *     completed
 * @param whyFailed what Flink says of the last of these
 * @param restored where the one is that the job was last restored from
 */
public record CheckpointSight(
    long completed,
    Optional<String> newest,
    Optional<String> savepoint,
    int failedSince,
    Optional<String> whyFailed,
    Optional<String> restored) {

  /** Nothing is known. */
  public static final CheckpointSight NONE =
      new CheckpointSight(
          0, Optional.empty(), Optional.empty(), 0, Optional.empty(), Optional.empty());

  /** Reads {@code /jobs/ID/checkpoints}. */
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
        checkpoints.path("counts").path("completed").asLong(),
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
   * A checkpoint in the JobManager's memory has no place; one that was discarded, none any more.
   */
  private static Optional<String> place(JsonNode checkpoint) {
    return checkpoint.path("discarded").asBoolean()
        ? Optional.empty()
        : Optional.of(checkpoint.path("external_path").asText(""))
            .filter(path -> path.contains("/"));
  }
}
