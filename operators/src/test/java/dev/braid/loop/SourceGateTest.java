package dev.braid.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SourceGateTest {

  private final AtomicInteger told = new AtomicInteger();

  @Test
  void aSourceThatIsExhaustedBeforeItsWorkerBegins_isHeardWhenItDoes() {
    try (SourceGate gate = SourceGate.open("early")) {
      gate.exhausted();
      gate.exhausted();
      gate.onExhausted(told::incrementAndGet);
      assertThat(told).hasValue(1);
      gate.exhausted();
      assertThat(told).hasValue(1);
    }
  }

  @Test
  void aSourceThatIsExhaustedLater_isHeardOnce() {
    try (SourceGate gate = SourceGate.open("later")) {
      gate.onExhausted(told::incrementAndGet);
      assertThat(told).hasValue(0);
      gate.exhausted();
      gate.exhausted();
      assertThat(told).hasValue(1);
    }
  }
}
