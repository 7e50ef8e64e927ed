package dev.braid.run.pace;

/**
 * Clock of a run. Across failures of one job it keeps counting, since time is the cost of a
 * failure. Across jobs it leaves out the time from the checkpoint of one job to the start of the
 * next, in which no job was meant to run.
 *
 * @param job the job that counts
 * @param startMillis time when the clock was at 0, in ms since 1970; later than the real start if
 *     the run has several jobs
 * @param savedMillis time when this was saved, in ms since 1970
 */
public record RunClock(String job, long startMillis, long savedMillis) {

  public static RunClock start(String job, long nowMillis) {
    return new RunClock(job, nowMillis, nowMillis);
  }

  /** Returns this clock for a checkpoint. */
  public RunClock saved(long nowMillis) {
    return new RunClock(job, startMillis, nowMillis);
  }

  /** Returns the clock of a job that restores this one from a checkpoint. */
  public RunClock restored(String restoringJob, long nowMillis) {
    return job.equals(restoringJob)
        ? this
        : new RunClock(restoringJob, nowMillis - (savedMillis - startMillis), nowMillis);
  }

  public double seconds(long nowMillis) {
    return (nowMillis - startMillis) / 1000.0;
  }
}
