package dev.braid.worker;

import dev.braid.learner.Learner;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.util.function.SupplierWithException;

/**
 * The one thread of a worker that computes. Its learner is made, used and closed there and nowhere
 * else; what it finds out comes back as a mail of the worker's task.
 */
final class ComputeThread implements AutoCloseable {

  private static final long CLOSE_TIMEOUT_SECONDS = 10;

  private final ExecutorService executor;
  private final MailboxExecutor mailbox;
  private final Learner learner;

  /**
   * Starts the thread and makes the learner on it.
   *
   * @throws Exception what making the learner throws
   */
  ComputeThread(
      String name, MailboxExecutor mailbox, SupplierWithException<Learner, Exception> learner)
      throws Exception {
    this.mailbox = mailbox;
    ClassLoader userCode = Thread.currentThread().getContextClassLoader();
    this.executor =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread thread = new Thread(task, name);
              thread.setDaemon(true);
              thread.setContextClassLoader(userCode);
              return thread;
            });
    try {
      this.learner = executor.submit((Callable<Learner>) learner::get).get();
    } catch (java.util.concurrent.ExecutionException e) {
      executor.shutdownNow();
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  /** Length of the model's vector. */
  int length() {
    return learner.length();
  }

  /** The weights to begin with. */
  float[] initialWeights() throws Exception {
    float[] weights = new float[learner.length()];
    executor.submit(() -> learner.initialWeights(weights)).get();
    return weights;
  }

  /** Runs the work on this thread, and what follows in the mailbox; an error fails the task. */
  <T> void run(Function<Learner, T> work, Consumer<T> then) {
    executor.execute(() -> mail(outcome(work), then));
  }

  private <T> SupplierWithException<T, Exception> outcome(Function<Learner, T> work) {
    try {
      T value = work.apply(learner);
      return () -> value;
    } catch (Exception | LinkageError | OutOfMemoryError e) {
      return () -> {
        throw new IllegalStateException("computing failed: " + e.getMessage(), e);
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

  @Override
  public void close() {
    executor.execute(learner::close);
    executor.shutdown();
    try {
      if (executor.awaitTermination(CLOSE_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    executor.shutdownNow();
  }
}
