package dev.braid.run.pace;

/**
 * Counts the seconds of a run. Across failures of one job it goes on as any clock does, as time is
 * what a failure costs; across jobs it leaves out the time from the checkpoint of one to the
 * beginning of the next, in which nobody wanted anything to run.
 *
 * @param job the job that counts
 * @param startMillis when the clock was at 0; later than it really was, where jobs are put together
 * @param savedMillis when this was saved
 */
public record RunClock(String job, long startMillis, long savedMillis) {

  public static RunClock start(String job, long nowMillis) {
    return new RunClock(job, nowMillis, nowMillis);
  }

  /** The same, as it is to go into a checkpoint. */
  public RunClock saved(long nowMillis) {
    return new RunClock(job, startMillis, nowMillis);
  }

  /** What a job that begins with this from a checkpoint goes on with. */
  public RunClock restored(String restoringJob, long nowMillis) {
    return job.equals(restoringJob)
        ? this
        : new RunClock(restoringJob, nowMillis - (savedMillis - startMillis), nowMillis);
  }

  public double seconds(long nowMillis) {
    return (nowMillis - startMillis) / 1000.0;
  }
}
