package dev.braid.loop;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Informs the sources of a job that its loop has finished, so that sources without an end can end.
 *
 * <p>A source of parallelism 1 is not chained to a worker, but a worker runs next to it: with slot
 * sharing every slot of the job has a worker, and so has every JVM with a task of the job. A flag
 * in the JVM, found by the job's id, is therefore enough. It exists as long as any worker or source
 * of the job. A restart ends all of them before it starts any of them again, so no flag outlives
 * its attempt.
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

  /** Returns the end of a job's loop. The caller must close it with its task. */
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

  /** Returns a future that completes when the loop has finished. */
  public CompletableFuture<Void> reached() {
    return flag.reached;
  }

  /** Reports that the loop has finished. */
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
