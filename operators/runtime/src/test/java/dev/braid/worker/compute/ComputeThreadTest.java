package dev.braid.worker.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.learner.Batch;
import dev.braid.learner.Learner;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.streaming.runtime.tasks.StreamTaskActionExecutor;
import org.apache.flink.streaming.runtime.tasks.mailbox.MailboxExecutorImpl;
import org.apache.flink.streaming.runtime.tasks.mailbox.TaskMailbox;
import org.apache.flink.streaming.runtime.tasks.mailbox.TaskMailboxImpl;
import org.apache.flink.util.ExceptionUtils;
import org.apache.flink.util.function.ThrowingRunnable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that everything that a learner throws, anywhere, fails the task. */
@Timeout(60)
class ComputeThreadTest {

  private static final int PRIORITY = 0;

  private final TaskMailbox mails = new TaskMailboxImpl();
  private final MailboxExecutor mailbox =
      new MailboxExecutorImpl(mails, PRIORITY, StreamTaskActionExecutor.IMMEDIATE);
  private final BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();

  /** A throwable that is neither an exception nor an error. */
  private static final class Odd extends Throwable {
    private static final long serialVersionUID = 1L;
  }

  static List<Throwable> everyKind() {
    return List.of(
        new IllegalStateException("state"),
        new IOException("disk"),
        new AssertionError("assertion"),
        new StackOverflowError(),
        new OutOfMemoryError("heap"),
        new NoClassDefFoundError("class"),
        new InternalError("machine"),
        new Odd());
  }

  @ParameterizedTest
  @MethodSource("everyKind")
  void whatWorkThrows_failsTheTask(Throwable thrown) throws Exception {
    try (ComputeThread thread = thread(new TestLearner())) {
      thread.run(
          learner -> {
            throw unchecked(thrown);
          },
          value -> {
            throw new IllegalStateException("there is no value");
          });
      assertThatThrownBy(() -> mails.take(PRIORITY).run())
          .hasMessageStartingWith("computing failed: " + thrown)
          .hasCause(thrown);
    }
    assertThat(failures).isEmpty();
  }

  @Test
  void aStackOverflow_failsTheTask() throws Exception {
    try (ComputeThread thread = thread(new TestLearner())) {
      thread.run(ComputeThreadTest::deeper, value -> {});
      assertThatThrownBy(() -> mails.take(PRIORITY).run())
          .hasCauseInstanceOf(StackOverflowError.class);
    }
  }

  @SuppressWarnings("InfiniteRecursion")
  private static int deeper(Learner learner) {
    return 1 + deeper(learner);
  }

  @ParameterizedTest
  @MethodSource("everyKind")
  void whatMakingTheLearnerThrows_isThrown(Throwable thrown) {
    assertThatThrownBy(
            () ->
                new ComputeThread(
                    "test",
                    mailbox,
                    failures::add,
                    () -> {
                      throw unchecked(thrown);
                    }))
        .satisfies(failure -> assertCausedBy(failure, thrown));
  }

  @ParameterizedTest
  @MethodSource("everyKind")
  void whatInitialWeightsThrow_isThrown(Throwable thrown) throws Exception {
    TestLearner failing =
        new TestLearner() {
          @Override
          public void initialWeights(float[] weights) {
            throw unchecked(thrown);
          }
        };
    try (ComputeThread thread = thread(failing)) {
      assertThatThrownBy(thread::initialWeights)
          .satisfies(failure -> assertCausedBy(failure, thrown));
    }
  }

  @ParameterizedTest
  @MethodSource("everyKind")
  void whatClosingThrows_isThrown(Throwable thrown) throws Exception {
    TestLearner failing =
        new TestLearner() {
          @Override
          public void close() {
            throw unchecked(thrown);
          }
        };
    assertThatThrownBy(thread(failing)::close)
        .satisfies(failure -> assertCausedBy(failure, thrown));
  }

  /** A mail needs memory, too. */
  @Test
  void aMailThatCannotBeSent_failsTheTaskFromOutside() throws Exception {
    OutOfMemoryError thrown = new OutOfMemoryError("no room for a mail");
    MailboxExecutor full =
        new MailboxExecutor() {
          @Override
          public void execute(
              MailOptions options,
              ThrowingRunnable<? extends Exception> command,
              String description,
              Object... arguments) {
            throw thrown;
          }

          @Override
          public void yield() {}

          @Override
          public boolean tryYield() {
            return false;
          }

          @Override
          public boolean shouldInterrupt() {
            return false;
          }
        };
    try (ComputeThread thread = new ComputeThread("test", full, failures::add, TestLearner::new)) {
      thread.run(learner -> 1, value -> {});
      assertThat(failures.take()).isSameAs(thrown);
    }
  }

  @Test
  void learnerIsMadeUsedAndClosedInOneThread() throws Exception {
    BlockingQueue<Thread> threads = new LinkedBlockingQueue<>();
    TestLearner learner =
        new TestLearner() {
          @Override
          public void close() {
            threads.add(Thread.currentThread());
          }
        };
    try (ComputeThread thread =
        new ComputeThread(
            "test",
            mailbox,
            failures::add,
            () -> {
              threads.add(Thread.currentThread());
              return learner;
            })) {
      thread.run(used -> threads.add(Thread.currentThread()), done -> {});
      mails.take(PRIORITY).run();
    }
    assertThat(threads).hasSize(3).containsOnly(threads.peek());
    assertThat(threads.peek()).isNotSameAs(Thread.currentThread());
  }

  @Test
  void cancelledWhileTheLearnerIsMade_itsThreadEnds() throws Exception {
    BlockingQueue<Thread> threads = new LinkedBlockingQueue<>();
    Thread task = Thread.currentThread();
    assertThatThrownBy(
            () ->
                new ComputeThread(
                    "test",
                    mailbox,
                    failures::add,
                    () -> {
                      threads.add(Thread.currentThread());
                      task.interrupt();
                      new CountDownLatch(1).await();
                      return new TestLearner();
                    }))
        .isInstanceOf(InterruptedException.class);
    threads.take().join();
  }

  private ComputeThread thread(Learner learner) throws Exception {
    return new ComputeThread("test", mailbox, failures::add, () -> learner);
  }

  private static void assertCausedBy(Throwable failure, Throwable thrown) {
    assertThat(ExceptionUtils.findThrowable(failure, cause -> cause == thrown)).isPresent();
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> RuntimeException unchecked(Throwable thrown) throws E {
    throw (E) thrown;
  }

  private static class TestLearner implements Learner {

    @Override
    public int length() {
      return 1;
    }

    @Override
    public void initialWeights(float[] weights) {}

    @Override
    public double gradient(float[] weights, Batch batch, float[] gradient) {
      return 0;
    }

    @Override
    public Score evaluate(float[] weights, Batch batch) {
      return Score.NONE;
    }

    @Override
    public void close() {}
  }
}
