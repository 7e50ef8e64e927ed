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
 * Lines about the state of a job in Flink: it waits for slots, was restarted and why, its
 * checkpoints fail, or the cluster does not answer. A job that fails for the same reason repeatedly
 * has few lines; a change is reported at once.
 */
final class JobLines {

  private static final long NANOS_PER_SECOND = 1_000_000_000;

  /**
   * Wait before the first line, in which a healthy cluster answers or provides slots. A start may
   * take three times as long.
   */
  private static final long PATIENCE_NANOS = 3 * NANOS_PER_SECOND;

  /** Ratio of the times of successive lines, so that a long wait has few lines. */
  private static final int LINES_APART = 2;

  /**
   * Number of successive failures before a line. A single checkpoint may fail by chance, as when a
   * worker is unreachable.
   */
  private static final int FAILED_CHECKPOINTS = 2;

  private static final String FOR_SLOTS = "waiting for slots";

  /**
   * Parts of Flink's messages about checkpoints that end with an attempt of the job, which has its
   * own line.
   */
  private static final List<String> ENDED_WITH_THE_ATTEMPT =
      List.of(
          "suspend",
          "shutting down",
          "job fail",
          "is not being executed",
          "are running",
          "unknown task");

  /** Flink's whole message if a task could not write its state. */
  private static final String NOT_WRITTEN = "Asynchronous task checkpoint failed";

  /**
   * A lasting condition.
   *
   * @param text description of the condition
   * @param isDue whether another line is due, where lines are not overwritten
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

  /** Creates the lines of a job that is followed. */
  JobLines() {
    this(PATIENCE_NANOS);
  }

  private JobLines(long patienceNanos) {
    this.patienceNanos = patienceNanos;
  }

  /** Creates the lines of a job that is queried once. */
  static JobLines atOnce() {
    return new JobLines(0);
  }

  /**
   * Returns the lines to show now.
   *
   * @param hasStatus whether training itself has a status to show
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
      // Report a change at once: a user may be adding TaskManagers.
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

  /** Returns the kind of a wait: its text without figures. */
  private static String kind(String wait) {
    return wait.replaceFirst(":.*", "");
  }

  /** Returns Flink's current activity while nothing is trained. */
  Optional<String> underWay() {
    return Optional.of(waiting).filter(it -> !it.isEmpty());
  }

  // ---- failures --------------------------------------------------------------------------------

  private void takeFailures(JobSight sight, List<String> lines) {
    if (sight.isEnding()) {
      // The last failure ends the job instead of restarting it, and is reported as its end.
      return;
    }
    List<JobFailure> unseen =
        sight.failures().stream().filter(it -> it.millis() > lastFailureMillis).toList();
    if (unseen.isEmpty()) {
      return;
    }
    // The newest is the first.
    lastFailureMillis = unseen.get(0).millis();
    // The wait for slots has its own line, but the failure before it must be reported.
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

  /**
   * Describes the wait for slots. Overviews of clusters do not show how many slots the job itself
   * has.
   */
  private static String slots(int needed, ClusterOverview cluster) {
    if (cluster.slots() >= needed) {
      // Other jobs may also seem to use the slots for a moment, because a cluster updates its
      // overview late.
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

  /** Returns a line about a cluster that does not answer, after a while. */
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

  /** Notes that the cluster has answered; returns whether its silence had been reported. */
  boolean answered() {
    boolean isNews = silenceTold;
    silentSinceNanos = OptionalLong.empty();
    silenceTold = false;
    return isNews;
  }
}
