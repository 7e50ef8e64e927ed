package dev.braid.job.rest;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A failure of a job, after which Flink has restarted it, or has not.
 *
 * @param millis when, since 1970: no two of a job are at the same time
 * @param causes why
 * @param where host and port of the TaskManager on which a task has failed, if one has
 */
public record JobFailure(long millis, CauseChain causes, Optional<String> where) {

  /**
   * Whether slots were lacking: a cluster that has run for a while does not wait for them, but
   * fails the job at once, and restarts it.
   */
  public boolean isForSlots() {
    return causes.deepest().simpleType().equals("NoResourceAvailableException");
  }

  /** The same, of a Flink that is in one place. */
  JobFailure anywhere() {
    return new JobFailure(millis, causes, Optional.empty());
  }

  /** Reads {@code /jobs/ID/exceptions}: the latest ones, the newest first. */
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

  /** What ends a job is of no task, but has those of tasks with it. */
  private static Optional<String> place(JsonNode entry) {
    return Stream.concat(
            Stream.of(entry),
            StreamSupport.stream(entry.path("concurrentExceptions").spliterator(), false))
        .map(it -> it.path("endpoint").asText(""))
        .filter(found -> found.matches("[^ ()]+:\\d+"))
        .findFirst();
  }
}
