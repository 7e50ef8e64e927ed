package dev.braid.worker.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests a queue whose clock advances by one step each time that the queue reads it. */
@Timeout(60)
class PolledQueueTest {

  private static final long STEP_NANOS = PolledQueue.POLL_NANOS / 10;

  private static final Runnable WORK = new Work();

  private record Work() implements Runnable {
    @Override
    public void run() {}
  }

  private final PolledQueue queue = new PolledQueue(this::look);

  private long nowNanos;
  private int looks;
  private Runnable onLook = () -> {};

  private long look() {
    looks++;
    nowNanos += STEP_NANOS;
    onLook.run();
    return nowNanos;
  }

  @Test
  void workThatIsThere_isTakenAtOnce() throws Exception {
    queue.add(WORK);
    assertThat(queue.take()).isSameAs(WORK);
    assertThat(looks).isZero();
  }

  @Test
  void workThatComesSoon_isFoundWithoutSleeping() throws Exception {
    for (int round = 0; round < 5; round++) {
      assertThat(pollsWhenWorkComesSoon()).isTrue();
    }
  }

  @Test
  void pollingInVain_isDoneEverMoreSeldom() throws Exception {
    assertThat(sleepsBeforeEachPoll(9))
        .containsExactly(0, 1, 2, 4, 8, 16, 32, 64, PolledQueue.MOST_SLEEPS);
  }

  /** Work to prepare arrives soon and work to compute does not, in turn. */
  @Test
  void pollingThatHelpsEverySecondTime_isDoneEverMoreSeldom() throws Exception {
    int polls = 0;
    for (int round = 0; round < 1000; round++) {
      polls += pollsWhenWorkComesSoon() ? 1 : 0;
      polls += pollsBeforeItSleeps() ? 1 : 0;
    }
    assertThat(polls).isLessThan(100);
  }

  @Test
  void pollingThatHelpsSomeTimesInARow_isDoneEachTimeAgain() throws Exception {
    sleepsBeforeEachPoll(6);
    int helped = 0;
    while (helped < PolledQueue.SUCCESSES) {
      helped += pollsWhenWorkComesSoon() ? 1 : 0;
    }
    assertThat(sleepsBeforeEachPoll(3)).containsExactly(0, 1, 2);
  }

  @Test
  void interruptedWhileItPolls_saysSo() {
    onLook = () -> Thread.currentThread().interrupt();
    assertThatThrownBy(queue::take).isInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isFalse();
  }

  /**
   * Returns, for takes whose work arrives late, how many sleep at once before each one that polls.
   */
  private List<Integer> sleepsBeforeEachPoll(int polls) throws InterruptedException {
    List<Integer> sleeps = new ArrayList<>();
    int atOnce = 0;
    while (sleeps.size() < polls) {
      if (pollsBeforeItSleeps()) {
        sleeps.add(atOnce);
        atOnce = 0;
      } else {
        atOnce++;
      }
    }
    return sleeps;
  }

  /** Adds work when the consumer sleeps. Returns whether the consumer polled before. */
  private boolean pollsBeforeItSleeps() throws InterruptedException {
    looks = 0;
    onLook = () -> {};
    take();
    return looks > 0;
  }

  /**
   * Adds work while the consumer polls or, if it does not poll, when it sleeps. Returns whether it
   * polled.
   */
  private boolean pollsWhenWorkComesSoon() throws InterruptedException {
    looks = 0;
    onLook =
        () -> {
          if (looks == 4) {
            queue.add(WORK);
          }
        };
    take();
    if (looks > 0) {
      assertThat(looks).isEqualTo(4);
    }
    return looks > 0;
  }

  /** Takes work. Another thread adds work when this one sleeps, unless it has got some. */
  private void take() throws InterruptedException {
    Thread consumer = Thread.currentThread();
    AtomicBoolean isDone = new AtomicBoolean();
    Thread producer =
        new Thread(
            () -> {
              while (!isDone.get()) {
                // The order of the conditions matters: the consumer also waits, for this thread,
                // when it is done.
                if (consumer.getState() == Thread.State.WAITING && !isDone.get()) {
                  queue.add(WORK);
                  return;
                }
                Thread.onSpinWait();
              }
            });
    producer.start();
    assertThat(queue.take()).isSameAs(WORK);
    isDone.set(true);
    producer.join();
  }
}
