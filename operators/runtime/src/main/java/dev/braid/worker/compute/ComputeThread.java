package dev.braid.worker.compute;

import dev.braid.learner.Learner;
import dev.braid.learner.math.MathKernels;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.util.function.SupplierWithException;

/**
 * The only thread of a worker that computes. The learner is created, used and closed on this thread
 * only; its results arrive as mails of the worker's task. The thread polls for work for a moment
 * before it sleeps ({@link PolledQueue}).
 *
 * <p>Anything thrown on this thread fails the task, including errors of the JVM. Otherwise other
 * ranks would wait forever for a gradient that this rank does not compute.
 */
public final class ComputeThread implements AutoCloseable {

  private static final long CLOSE_TIMEOUT_SECONDS = 10;

  private final ExecutorService executor;
  private final MailboxExecutor mailbox;
  private final Learner learner;

  /**
   * Starts the thread and creates the learner on it.
   *
   * @param failure fails the task from another thread, for the case that not even a mail can be
   *     sent
   * @throws Exception if the learner cannot be created
   */
  public ComputeThread(
      String name,
      MailboxExecutor mailbox,
      Consumer<Throwable> failure,
      SupplierWithException<Learner, Exception> learner)
      throws Exception {
    this.mailbox = mailbox;
    ClassLoader userCode = Thread.currentThread().getContextClassLoader();
    this.executor =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new PolledQueue(System::nanoTime),
            task -> {
              Thread thread = new Thread(task, name);
              thread.setDaemon(true);
              thread.setContextClassLoader(userCode);
              thread.setUncaughtExceptionHandler((ended, thrown) -> failure.accept(thrown));
              return thread;
            });
    try {
      this.learner = executor.submit((Callable<Learner>) learner::get).get();
    } catch (ExecutionException | InterruptedException e) {
      // Either the learner cannot be created, or the task is cancelled meanwhile (no cause).
      executor.shutdownNow();
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  /** Returns the number of elements of the model's vector. */
  public int length() {
    return learner.length();
  }

  /** Returns the math kernels, which determine the bits of the learner's results. */
  public MathKernels kernels() throws Exception {
    return executor.submit(learner::kernels).get();
  }

  /** Returns the initial weights, as a new {@code float[length]}. */
  public float[] initialWeights() throws Exception {
    float[] weights = new float[learner.length()];
    executor.submit(() -> learner.initialWeights(weights)).get();
    return weights;
  }

  /**
   * Runs {@code work} on this thread and then {@code then} in the mailbox; an error fails the task.
   */
  public <T> void run(Function<Learner, T> work, Consumer<T> then) {
    executor.execute(() -> mail(outcome(work), then));
  }

  private <T> SupplierWithException<T, Exception> outcome(Function<Learner, T> work) {
    try {
      T value = work.apply(learner);
      return () -> value;
    } catch (Throwable e) {
      return () -> {
        throw new IllegalStateException("computing failed: " + e, e);
      };
    }
  }

  private <T> void mail(SupplierWithException<T, Exception> outcome, Consumer<T> then) {
    try {
      mailbox.execute(() -> then.accept(outcome.get()), "computed");
    } catch (RejectedExecutionException e) {
      // The task has ended meanwhile, so the result is not needed.
      return;
    }
  }

  /**
   * Closes the learner and ends the thread, after the computation in progress. Waits at most 10
   * seconds for it.
   *
   * @throws IllegalStateException if the learner cannot be closed
   */
  @Override
  public void close() {
    Future<?> closed = executor.submit(learner::close);
    executor.shutdown();
    try {
      closed.get(CLOSE_TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException("closing the learner failed: " + e.getCause(), e.getCause());
    } catch (TimeoutException e) {
      // The computation takes longer than the time limit. A daemon thread does not keep the JVM
      // alive.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      executor.shutdownNow();
    }
  }
}
