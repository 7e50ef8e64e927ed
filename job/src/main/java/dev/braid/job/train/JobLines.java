package dev.braid.job.train;

import dev.braid.job.rest.CheckpointSight;
import dev.braid.job.rest.ClusterOverview;
import dev.braid.job.rest.JobFailure;
import dev.braid.job.rest.JobSight;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is worth a line of how Flink gets on with a job: that it waits for slots, that it was
 * restarted and why, that its checkpoints fail, that nobody answers. A job that fails for the same
 * reason again and again has few lines, and a change is told at once.
 */
final class JobLines {

  private static final long NANOS_PER_SECOND = 1_000_000_000;

  /** A cluster that is well takes less to answer, or to give slots; and three times so to begin. */
  private static final long PATIENCE_NANOS = 3 * NANOS_PER_SECOND;

  /** Each line is this many times later than the one before: a long wait has few. */
  private static final int LINES_APART = 2;

  /** One may fail by chance, as when a worker is cut off; those that follow will, too. */
  private static final int FAILED_CHECKPOINTS = 2;

  private static final String FOR_SLOTS = "waiting for slots";

  /** What Flink says of checkpoints that end with an attempt of the job: that has its own line. */
  private static final List<String> ENDED_WITH_THE_ATTEMPT =
      List.of(
          "suspend",
          "shutting down",
          "job fail",
          "is not being executed",
          "are running",
          "unknown task");

  /** Flink's whole message where a task could not write its state. */
  private static final String NOT_WRITTEN = "Asynchronous task checkpoint failed";

  /**
   * Something that lasts.
   *
   * @param text what it is
   * @param isDue whether it is time for a line of it, where lines pile up
   */
  record Lasting(String text, boolean isDue) {}

  private final long patienceNanos;
  private long lastFailureMillis;
  private long restarts;
  private String restartCause = "";
  private long sameCause;
  private String failingCheckpoints = "";

  private String waiting = "";
  private long waitingSinceNanos;
  private boolean waitTold;
  private long nextLineNanos;

  private OptionalLong silentSinceNanos = OptionalLong.empty();
  private long nextSilenceNanos;
  private boolean silenceTold;

  /** Of a job that is followed. */
  JobLines() {
    this(PATIENCE_NANOS);
  }

  private JobLines(long patienceNanos) {
    this.patienceNanos = patienceNanos;
  }

  /** Of a job that is looked at once. */
  static JobLines atOnce() {
    return new JobLines(0);
  }

  /**
   * The lines to show now.
   *
   * @param hasStatus whether training itself has something to show
   */
  List<String> take(JobSight sight, boolean hasStatus, long nowNanos) {
    List<String> lines = new ArrayList<>();
    takeFailures(sight, lines);
    takeCheckpoints(sight.checkpoints(), lines);
    String wait = hasStatus || sight.isEnding() ? "" : waitOf(sight);
    takeWait(wait, nowNanos).ifPresent(lines::add);
    return lines;
  }

  private Optional<String> takeWait(String wait, long nowNanos) {
    boolean isForSlots = wait.startsWith(FOR_SLOTS);
    if (!kind(wait).equals(kind(waiting))) {
      waitingSinceNanos = nowNanos;
      nextLineNanos = isForSlots ? patienceNanos : 3 * patienceNanos;
      waitTold = false;
    } else if (waitTold && isForSlots && !wait.equals(waiting)) {
      // Somebody may be adding TaskManagers.
      nextLineNanos = 0;
    }
    waiting = wait;
    long waitedNanos = nowNanos - waitingSinceNanos;
    if (wait.isEmpty() || waitedNanos < nextLineNanos) {
      return Optional.empty();
    }
    nextLineNanos = LINES_APART * waitedNanos;
    waitTold = true;
    return Optional.of(wait);
  }

  /** What it is, without its figures. */
  private static String kind(String wait) {
    return wait.replaceFirst(":.*", "");
  }

  /** What Flink does at present, where nothing is trained. */
  Optional<String> underWay() {
    return Optional.of(waiting).filter(it -> !it.isEmpty());
  }

  // ---- failures --------------------------------------------------------------------------------

  private void takeFailures(JobSight sight, List<String> lines) {
    if (sight.isEnding()) {
      // Then it is no restart, but the end, which is told as such.
      return;
    }
    List<JobFailure> unseen =
        sight.failures().stream().filter(it -> it.millis() > lastFailureMillis).toList();
    if (unseen.isEmpty()) {
      return;
    }
    // The newest is the first.
    lastFailureMillis = unseen.get(0).millis();
    // The wait for slots has a line of its own; the failure before it is still to be told.
    List<JobFailure> told = unseen.stream().filter(it -> !it.isForSlots()).toList();
    if (told.isEmpty()) {
      return;
    }
    JobFailure newest = told.get(0);
    restarts += told.size();
    String cause = newest.causes().deepest().line();
    sameCause = cause.equals(restartCause) ? sameCause + told.size() : 1;
    boolean isDue = Long.bitCount(sameCause) == 1;
    restartCause = cause;
    if (isDue) {
      lines.add(
          "restart "
              + restarts
              + newest.where().map(" because of a failure on %s"::formatted).orElse("")
              + ": "
              + FailureText.cause(newest.causes(), newest.where()));
    }
  }

  // ---- checkpoints -----------------------------------------------------------------------------

  private void takeCheckpoints(CheckpointSight checkpoints, List<String> lines) {
    String why = checkpoints.whyFailed().map(JobLines::oneLine).orElse("");
    boolean areFailing =
        checkpoints.failedSince() >= FAILED_CHECKPOINTS
            && ENDED_WITH_THE_ATTEMPT.stream().noneMatch(why::contains);
    if (areFailing && !why.equals(failingCheckpoints)) {
      failingCheckpoints = why;
      lines.add(
          "checkpoints fail: "
              + (why.isEmpty() ? "" : why + "; ")
              + (why.startsWith(NOT_WRITTEN) ? "the disk may be full; " : "")
              + "training continues, and the next checkpoint is tried; see the log, on a "
              + "cluster the JobManager's");
    } else if (checkpoints.failedSince() == 0 && !failingCheckpoints.isEmpty()) {
      failingCheckpoints = "";
      lines.add("checkpoints succeed again");
    }
  }

  private static String oneLine(String message) {
    return message.strip().lines().findFirst().orElse("").strip().replaceFirst("[.]$", "");
  }

  // ---- waiting ---------------------------------------------------------------------------------

  private static String waitOf(JobSight sight) {
    if (sight.allTasksRun()) {
      return "";
    }
    if (sight.waitsForSlots() && sight.cluster().isPresent() && sight.slots() > 0) {
      return slots(sight.slots(), sight.cluster().get());
    }
    if (sight.state().equals("RESTARTING")) {
      return "restarting: the wait before a restart grows with each failure";
    }
    return sight.tasks().isEmpty()
        ? "the JobManager prepares the job"
        : "deploying: %d of %d tasks run"
            .formatted(sight.tasksIn("RUNNING") + sight.tasksIn("FINISHED"), sight.allTasks());
  }

  /** What the job has of them by now cannot be told from what other jobs have. */
  private static String slots(int needed, ClusterOverview cluster) {
    if (cluster.slots() >= needed) {
      // It is so for a moment, too, when there are enough: a cluster shows things late.
      return ("waiting for free slots: the job needs %d, and other jobs use too many of the "
              + "cluster's %d")
          .formatted(needed, cluster.slots());
    }
    return FOR_SLOTS
        + ": the job needs %d, and ".formatted(needed)
        + (cluster.slots() == 0
            ? "no TaskManager has registered"
            : "the cluster has " + cluster.slots());
  }

  // ---- silence ---------------------------------------------------------------------------------

  /** Nobody answers: what to say of it, after a while. */
  Optional<Lasting> silence(String address, String reason, long nowNanos) {
    if (silentSinceNanos.isEmpty()) {
      silentSinceNanos = OptionalLong.of(nowNanos);
      nextSilenceNanos = PATIENCE_NANOS;
    }
    long silentNanos = nowNanos - silentSinceNanos.getAsLong();
    if (silentNanos < PATIENCE_NANOS) {
      return Optional.empty();
    }
    boolean isDue = silentNanos >= nextSilenceNanos;
    if (isDue) {
      nextSilenceNanos = LINES_APART * silentNanos;
    }
    silenceTold = true;
    return Optional.of(
        new Lasting(
            "the cluster has not answered for %d s (%s, %s); trying again"
                .formatted(silentNanos / NANOS_PER_SECOND, address, reason),
            isDue));
  }

  /** Somebody answers; whether that is news. */
  boolean answered() {
    boolean isNews = silenceTold;
    silentSinceNanos = OptionalLong.empty();
    silenceTold = false;
    return isNews;
  }
}
