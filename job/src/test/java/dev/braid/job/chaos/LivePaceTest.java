package dev.braid.job.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.event.Action;
import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.event.Start;
import dev.braid.chaos.event.Target;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LivePaceTest {

  private final AtomicLong nowMillis = new AtomicLong(7_000);

  private final ChaosGenerate.Live pace =
      new ChaosGenerate.Live(
          LongStream.of(200, 500, 550, 4_000).mapToObj(LivePaceTest::due).toList(),
          () -> TimeUnit.MILLISECONDS.toNanos(nowMillis.get()));

  private static ChaosEvent due(long millis) {
    return ChaosEvent.of(new Action.Cut(), new Target.OfRank(1)).withStart(new Start.After(millis));
  }

  @Test
  void eventsKeepTheirDistances_howeverLongTheFirstTakes() {
    assertThat(waitFor(0)).isEqualTo(200);
    sending(900);
    assertThat(waitFor(1)).isEqualTo(300);
    sending(20);
    assertThat(waitFor(2)).isEqualTo(30);
    sending(5_000);
    assertThat(waitFor(3)).as("late already").isZero();
  }

  /** Waits until an event is due; returns the time, in milliseconds. */
  private long waitFor(int index) {
    long millis = TimeUnit.NANOSECONDS.toMillis(pace.nanosUntil(index));
    nowMillis.addAndGet(millis);
    return millis;
  }

  private void sending(long millis) {
    nowMillis.addAndGet(millis);
  }
}
