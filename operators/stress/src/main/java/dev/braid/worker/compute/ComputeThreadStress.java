package dev.braid.worker.compute;

import dev.braid.learner.Batch;
import dev.braid.learner.Learner;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.util.function.ThrowingRunnable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * The compute thread sees the weights as they were when they were handed over, and the worker sees
 * the gradient of these weights; of two concurrent workers, each sees its own.
 */
@JCStressTest
@Outcome(id = "11, 12", expect = Expect.ACCEPTABLE, desc = "each the gradient of its weights")
@Outcome(expect = Expect.FORBIDDEN, desc = "of weights from before, or of the other's")
@State
public class ComputeThreadStress {

  /** One thread for all states, since starting a thread costs more than its work. */
  private static final ComputeThread THREAD = start();

  private final Worker first = new Worker();
  private final Worker second = new Worker();

  @Actor
  public void first(II_Result result) {
    result.r1 = first.gradientOf(1);
  }

  @Actor
  public void second(II_Result result) {
    result.r2 = second.gradientOf(2);
  }

  /** A worker whose fields become visible to others only by the hand-over. */
  private static final class Worker {
    private int weights;
    private int gradient;
    private volatile boolean done;

    int gradientOf(int value) {
      weights = value;
      THREAD.run(learner -> gradient = weights + learner.length(), unused -> done = true);
      while (!done) {
        Thread.onSpinWait();
      }
      return gradient;
    }
  }

  private static ComputeThread start() {
    try {
      return new ComputeThread("compute", new AtOnce(), ComputeThreadStress::fail, TenWeights::new);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static final class TenWeights implements Learner {

    @Override
    public int length() {
      return 10;
    }

    @Override
    public void initialWeights(float[] weights) {}

    @Override
    public double gradient(float[] weights, Batch batch, float[] gradient) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Score evaluate(float[] weights, Batch batch) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
  }

  private static final class AtOnce implements MailboxExecutor {

    @Override
    public void execute(
        MailOptions options,
        ThrowingRunnable<? extends Exception> mail,
        String description,
        Object... arguments) {
      try {
        mail.run();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void yield() {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean tryYield() {
      return false;
    }

    @Override
    public boolean shouldInterrupt() {
      return false;
    }
  }

  /** Fails on an error that cannot even be mailed. */
  private static void fail(Throwable failure) {
    throw new AssertionError(failure);
  }
}
