package dev.braid.job.rest;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A failure of a job, after which Flink may have restarted it.
 *
 * @param millis time since 1970, which is unique within a job
 * @param causes chain of the failure's causes
 * @param where host and port of the TaskManager on which a task failed, if any
 */
public record JobFailure(long millis, CauseChain causes, Optional<String> where) {

  /**
   * Returns whether slots were missing. A cluster that has run for a while does not wait for slots;
   * it fails the job at once and restarts it.
   */
  public boolean isForSlots() {
    return causes.deepest().simpleType().equals("NoResourceAvailableException");
  }

  /** Returns the failure without its place, for a Flink in a single process. */
  JobFailure anywhere() {
    return new JobFailure(millis, causes, Optional.empty());
  }

  /** Parses {@code /jobs/ID/exceptions}: the latest failures, the newest first. */
  static List<JobFailure> parse(JsonNode exceptions) {
    List<JobFailure> failures = new ArrayList<>();
    for (JsonNode entry : exceptions.path("exceptionHistory").path("entries")) {
      failures.add(
          new JobFailure(
              entry.path("timestamp").asLong(),
              CauseChain.parse(entry.path("stacktrace").asText("")),
              place(entry)));
    }
    failures.sort((one, other) -> Long.compare(other.millis(), one.millis()));
    return List.copyOf(failures);
  }

  /**
   * Returns the place of a failure. A failure of the job itself has none, but contains those of
   * tasks.
   */
  private static Optional<String> place(JsonNode entry) {
    return Stream.concat(
            Stream.of(entry),
            StreamSupport.stream(entry.path("concurrentExceptions").spliterator(), false))
        .map(it -> it.path("endpoint").asText(""))
        .filter(found -> found.matches("[^ ()]+:\\d+"))
        .findFirst();
  }
}
