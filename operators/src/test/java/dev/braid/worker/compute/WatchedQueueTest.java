package dev.braid.worker.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Time goes on by a step each time that the queue looks at the clock. */
@Timeout(60)
class WatchedQueueTest {

  private static final long STEP_NANOS = WatchedQueue.WATCH_NANOS / 10;

  private static final Runnable WORK = new Work();

  private record Work() implements Runnable {
    @Override
    public void run() {}
  }

  private final WatchedQueue queue = new WatchedQueue(this::look);

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
  void workThatComesSoon_isSeenWithoutSleeping() throws Exception {
    for (int round = 0; round < 5; round++) {
      looks = 0;
      onLook = () -> addAtLook(4);
      assertThat(queue.take()).isSameAs(WORK);
      assertThat(looks).isEqualTo(4);
    }
  }

  private void addAtLook(int look) {
    if (looks == look) {
      queue.add(WORK);
    }
  }

  /** A consumer that sleeps is woken by another thread, which adds work when it sees it sleep. */
  private int looksUntilWoken() throws InterruptedException {
    looks = 0;
    Thread consumer = Thread.currentThread();
    Thread producer =
        new Thread(
            () -> {
              while (consumer.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
              }
              queue.add(WORK);
            });
    producer.start();
    assertThat(queue.take()).isSameAs(WORK);
    producer.join();
    return looks;
  }

  @Test
  void watchingInVain_isLeftOutEverMoreOften() throws Exception {
    List<Integer> leftOut = new ArrayList<>();
    int sleeps = 0;
    while (leftOut.size() < 9) {
      if (looksUntilWoken() == 0) {
        sleeps++;
      } else {
        leftOut.add(sleeps);
        sleeps = 0;
      }
    }
    assertThat(leftOut).containsExactly(0, 1, 2, 4, 8, 16, 32, 64, WatchedQueue.MOST_LEFT_OUT);
  }

  @Test
  void watchingWithSuccess_isLeftOutAsSeldomAsAtFirst() throws Exception {
    assertThat(looksUntilWoken()).isPositive();
    assertThat(looksUntilWoken()).isZero();

    looks = 0;
    onLook = () -> addAtLook(2);
    assertThat(queue.take()).isSameAs(WORK);
    assertThat(looks).isEqualTo(2);

    onLook = () -> {};
    assertThat(looksUntilWoken()).isPositive();
    assertThat(looksUntilWoken()).isZero();
    assertThat(looksUntilWoken()).isPositive();
  }

  @Test
  void interruptedWhileItWatches_saysSo() {
    onLook = () -> Thread.currentThread().interrupt();
    assertThatThrownBy(queue::take).isInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isFalse();
  }
}
