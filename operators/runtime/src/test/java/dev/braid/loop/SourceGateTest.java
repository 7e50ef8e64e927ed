package dev.braid.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.coding.CodeTree;
import dev.braid.topology.RegularTree;
import java.util.Optional;
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

  @Test
  void whereATreeIsStillToBeChosen_noBatchOfTheNextEpochGoesBeforeItIs() {
    try (SourceGate gate = SourceGate.open("restored between an epoch's end and the choice")) {
      gate.share(Optional.empty(), 2);
      gate.grant(2);
      assertThat(gate.tryTake(2)).isFalse();
      assertThat(gate.available()).isNotDone();

      gate.share(Optional.of(new CodeTree(new RegularTree(6, 2), 1)), 3);
      assertThat(gate.available()).isDone();
      assertThat(gate.tryTake(2)).isTrue();
      assertThat(gate.tryTake(3)).isFalse();
    }
  }
}
