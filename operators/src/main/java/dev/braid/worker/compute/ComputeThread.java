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
 * The one thread of a worker that computes. Its learner is made, used and closed there and nowhere
 * else; what it finds out comes back as a mail of the worker's task. It polls for work for a moment
 * before it sleeps ({@link PolledQueue}).
 *
 * <p>Whatever is thrown there fails the task, errors of the JVM included: other ranks would wait
 * for ever for a gradient that nobody computes any more.
 */
public final class ComputeThread implements AutoCloseable {

  private static final long CLOSE_TIMEOUT_SECONDS = 10;

  private final ExecutorService executor;
  private final MailboxExecutor mailbox;
  private final Learner learner;

  /**
   * Starts the thread and makes the learner on it.
   *
   * @param failure fails the task from another thread, for when not even a mail can be sent
   * @throws Exception what making the learner throws
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
      // It cannot be made, or the task is cancelled meanwhile, which has no cause.
      executor.shutdownNow();
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  /** Length of the model's vector. */
  public int length() {
    return learner.length();
  }

  /** What decides the bits of what is computed here. */
  public MathKernels kernels() throws Exception {
    return executor.submit(learner::kernels).get();
  }

  /** The weights to begin with. */
  public float[] initialWeights() throws Exception {
    float[] weights = new float[learner.length()];
    executor.submit(() -> learner.initialWeights(weights)).get();
    return weights;
  }

  /** Runs the work on this thread, and what follows in the mailbox; an error fails the task. */
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
      // The task has ended meanwhile, and nobody wants to know.
      return;
    }
  }

  /**
   * Closes the learner and ends the thread, when what it computes is over.
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
      // It computes for longer than anybody waits; the thread is a daemon, and holds up nothing.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      executor.shutdownNow();
    }
  }
}
