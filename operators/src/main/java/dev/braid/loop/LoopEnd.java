package dev.braid.loop;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tells the sources of a job that its loop has finished, so that those without an end may end.
 *
 * <p>A source of parallelism 1 has no worker chained behind it, but one beside it: with slot
 * sharing every slot of the job has a worker, and so has every JVM with a task of it. So a flag of
 * the JVM, found by the job's id, is enough. It is there as long as any worker or source of the job
 * is, and a restart ends all of them before it begins any anew: no flag outlives its attempt.
 */
public final class LoopEnd implements AutoCloseable {

  private static final Map<String, Flag> BY_JOB = new ConcurrentHashMap<>();

  private static final class Flag {
    final CompletableFuture<Void> reached = new CompletableFuture<>();
    int members;
  }

  private final String job;
  private final Flag flag;
  private boolean closed;

  private LoopEnd(String job, Flag flag) {
    this.job = job;
    this.flag = flag;
  }

  /** The end of a job's loop; to be closed with the task that asks. */
  public static LoopEnd join(String job) {
    Flag flag =
        BY_JOB.compute(
            job,
            (id, known) -> {
              Flag joined = known == null ? new Flag() : known;
              joined.members++;
              return joined;
            });
    return new LoopEnd(job, flag);
  }

  /** Completes when the loop has finished. */
  public CompletableFuture<Void> reached() {
    return flag.reached;
  }

  /** The loop has finished. */
  void reach() {
    flag.reached.complete(null);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      BY_JOB.computeIfPresent(job, (id, known) -> --known.members == 0 ? null : known);
    }
  }
}
