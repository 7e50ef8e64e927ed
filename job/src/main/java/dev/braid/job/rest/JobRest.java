package dev.braid.job.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A job of a Flink, asked about. What changes seldom is asked for seldom, and always when the job
 * is not simply running.
 */
public final class JobRest {

  private static final long SELDOM_NANOS = 1_000_000_000L;

  private final FlinkRest flink;
  private final String job;

  /** Whether its TaskManagers are the process that asks. */
  private final boolean isHere;

  private long askedNanos;
  private boolean asked;
  private List<JobFailure> failures = List.of();
  private CheckpointSight checkpoints = CheckpointSight.NONE;

  /**
   * A job by its id, 32 hexadecimal digits.
   *
   * @param flink where it runs
   */
  public JobRest(FlinkRest flink, String job) {
    this(flink, job, false);
  }

  private JobRest(FlinkRest flink, String job, boolean isHere) {
    this.flink = flink;
    this.job = job;
    this.isHere = isHere;
  }

  /** A job of an embedded Flink: of where its tasks fail there is nothing to say. */
  public static JobRest embedded(FlinkRest flink, String job) {
    return new JobRest(flink, job, true);
  }

  /**
   * A job in a list of them.
   *
   * @param millis when it began, since 1970
   */
  public record Listed(String id, String name, String state, long millis) {

    /** Whether nothing more becomes of it. */
    public boolean isOver() {
      return JobSight.isOver(state);
    }
  }

  /** All jobs that a Flink knows, the latest first. */
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

  public String id() {
    return job;
  }

  /** Where it is asked about, for people. */
  public String address() {
    return flink.address();
  }

  /**
   * How it is.
   *
   * @throws RestException if nobody answers, or the job is not known
   */
  public JobSight look(long nowNanos) throws RestException, InterruptedException {
    String path = "/jobs/" + job;
    JsonNode state = flink.get(path);
    // In this order: what a job that is over has said last, it had said when it was seen to be so.
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

  /** Flink answers from several caches, whose entries are of different ages. */
  private boolean hasLongBeenOver(JsonNode state) throws RestException, InterruptedException {
    long overMillis = state.path("now").asLong() - state.path("end-time").asLong();
    return overMillis > orNone("/config").path("refresh-interval").asLong();
  }

  /** Of a job that is only being made, Flink has not all. */
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

  /** The options that its program has told Flink of. */
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
