package dev.braid.job.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Client for one job of a Flink. Data that rarely changes is requested rarely, but always when the
 * job is not simply running.
 */
public final class JobRest {

  private static final long SELDOM_NANOS = 1_000_000_000L;

  private final FlinkRest flink;
  private final String job;

  /** Whether the job's TaskManagers are in this process. */
  private final boolean isHere;

  private long askedNanos;
  private boolean asked;
  private List<JobFailure> failures = List.of();
  private CheckpointSight checkpoints = CheckpointSight.NONE;

  /**
   * Creates the client of a job.
   *
   * @param flink cluster of the job
   * @param job id, 32 hexadecimal digits
   */
  public JobRest(FlinkRest flink, String job) {
    this(flink, job, false);
  }

  private JobRest(FlinkRest flink, String job, boolean isHere) {
    this.flink = flink;
    this.job = job;
    this.isHere = isHere;
  }

  /** Creates the client of a job of an embedded Flink, whose failures have no place. */
  public static JobRest embedded(FlinkRest flink, String job) {
    return new JobRest(flink, job, true);
  }

  /**
   * Entry of a list of jobs.
   *
   * @param millis start time, in milliseconds since 1970
   */
  public record Listed(String id, String name, String state, long millis) {

    /** Returns whether the job has reached a final state. */
    public boolean isOver() {
      return JobSight.isOver(state);
    }
  }

  /** Returns all jobs that a Flink knows, the latest first. */
  public static List<Listed> all(FlinkRest flink) throws RestException, InterruptedException {
    List<Listed> jobs = new ArrayList<>();
    for (JsonNode job : flink.get("/jobs/overview").path("jobs")) {
      jobs.add(
          new Listed(
              job.path("jid").asText(),
              job.path("name").asText(),
              job.path("state").asText(),
              job.path("start-time").asLong()));
    }
    jobs.sort((one, other) -> Long.compare(other.millis(), one.millis()));
    return List.copyOf(jobs);
  }

  /** Returns the address of the cluster, for messages. */
  public String address() {
    return flink.address();
  }

  /**
   * Returns the job's current state.
   *
   * @throws RestException if the cluster does not answer, or does not know the job
   */
  public JobSight look(long nowNanos) throws RestException, InterruptedException {
    String path = "/jobs/" + job;
    JsonNode state = flink.get(path);
    // In this order: a job seen as ended has reported its last accumulators before.
    JsonNode accumulators = orNone(path + "/accumulators");
    JobSight seen = JobSight.parse(state, accumulators, failures, checkpoints);
    if (asked && nowNanos - askedNanos < SELDOM_NANOS && seen.allTasksRun() && !seen.isEnding()) {
      return seen;
    }
    failures = JobFailure.parse(orNone(path + "/exceptions"));
    if (isHere) {
      failures = failures.stream().map(JobFailure::anywhere).toList();
    }
    checkpoints = CheckpointSight.parse(orNone(path + "/checkpoints"));
    JobSight sight = JobSight.parse(state, accumulators, failures, checkpoints);
    if (sight.waitsForSlots()) {
      sight = sight.on(ClusterOverview.of(flink));
    }
    asked = true;
    askedNanos = nowNanos;
    return sight.isOver() && hasLongBeenOver(state) ? sight.settled() : sight;
  }

  /**
   * Returns whether a job ended longer ago than Flink keeps entries in its caches, which have
   * different ages.
   */
  private boolean hasLongBeenOver(JsonNode state) throws RestException, InterruptedException {
    long overMillis = state.path("now").asLong() - state.path("end-time").asLong();
    return overMillis > orNone("/config").path("refresh-interval").asLong();
  }

  /**
   * Returns an answer; missing if Flink does not have it, as for a job that is just being created.
   */
  private JsonNode orNone(String path) throws RestException, InterruptedException {
    try {
      return flink.get(path);
    } catch (RestException e) {
      if (e.isUnknown()) {
        return MissingNode.getInstance();
      }
      throw e;
    }
  }

  /** Returns the options that the job's program has passed to Flink. */
  public Map<String, String> options() throws RestException, InterruptedException {
    Map<String, String> options = new TreeMap<>();
    flink
        .get("/jobs/" + job + "/config")
        .path("execution-config")
        .path("user-config")
        .properties()
        .forEach(option -> options.put(option.getKey(), option.getValue().asText()));
    return options;
  }
}
