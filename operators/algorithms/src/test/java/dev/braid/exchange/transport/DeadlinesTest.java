package dev.braid.exchange.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.ForwardingPort;
import dev.braid.exchange.RecordingPort;
import dev.braid.exchange.transport.Deadlines.Deadline;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeadlinesTest {

  private final AtTime port = new AtTime();
  private final Deadlines deadlines = new Deadlines(port);
  private final List<String> called = new ArrayList<>();
  private final Deadline first = deadlines.of(() -> called.add("first"));
  private final Deadline second = deadlines.of(() -> called.add("second"));

  /** A port whose time a test sets, and which records the wake-ups that were requested. */
  private static final class AtTime extends ForwardingPort {
    private final List<Long> asked = new ArrayList<>();
    private long nanos;

    AtTime() {
      super(new RecordingPort());
    }

    @Override
    public long nowNanos() {
      return nanos;
    }

    @Override
    public void wakeAt(long time) {
      asked.add(time);
    }
  }

  private void comes(long nanos) {
    port.nanos = nanos;
    deadlines.deadline();
  }

  @Test
  void thePortIsAskedForTheEarliest() {
    first.at(30);
    second.at(20);
    second.at(40);

    assertThat(port.asked).containsExactly(30L, 20L);
  }

  @Test
  void eachIsCalledOnceItsOwnTimeHasCome_inTheirOrder() {
    second.at(20);
    first.at(30);

    comes(20);
    assertThat(called).containsExactly("second");
    assertThat(port.asked).containsExactly(20L, 30L);

    second.at(25);
    comes(30);
    assertThat(called).containsExactly("second", "first", "second");

    comes(40);
    assertThat(called).hasSize(3);
  }

  @Test
  void whatIsTakenBackIsNotCalled() {
    first.at(10);
    first.at(Deadlines.NEVER);

    comes(10);

    assertThat(called).isEmpty();
  }

  @Test
  void afterARollBackThePortIsAskedAgain() {
    first.at(10);

    deadlines.askAgain();

    assertThat(port.asked).containsExactly(10L, 10L);
  }
}
