package dev.braid.job.rest;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A failure of a job, after which Flink has restarted it, or has not.
 *
 * @param millis when, since 1970: no two of a job are at the same time
 * @param causes why
 * @param where host and port of the TaskManager on which a task has failed; none where that is
 *     {@code localhost}, as in an embedded Flink
 */
public record JobFailure(long millis, CauseChain causes, Optional<String> where) {

  /** Reads {@code /jobs/ID/exceptions}: the latest ones, the newest first. */
  static List<JobFailure> parse(JsonNode exceptions) {
    List<JobFailure> failures = new ArrayList<>();
    for (JsonNode entry : exceptions.path("exceptionHistory").path("entries")) {
      failures.add(
          new JobFailure(
              entry.path("timestamp").asLong(),
              CauseChain.parse(entry.path("stacktrace").asText("")),
              place(entry.path("endpoint").asText(""))));
    }
    failures.sort((one, other) -> Long.compare(other.millis(), one.millis()));
    return List.copyOf(failures);
  }

  private static Optional<String> place(String endpoint) {
    return Optional.of(endpoint)
        .filter(found -> found.matches("[^ ()]+:\\d+") && !found.startsWith("localhost:"));
  }
}
