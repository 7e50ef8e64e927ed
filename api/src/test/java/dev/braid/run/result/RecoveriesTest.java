package dev.braid.run.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.loop.coordinator.Recovery;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecoveriesTest {

  private static final Recovery FIRST = new Recovery(9_000, 600, 210, 890, 100, 1_042);

  @Test
  void oneIsToldLiveWithItsNumber() {
    assertThat(Recoveries.live(3, FIRST))
        .isEqualTo(
            "recovery 3: 1.8 s (detection 0.6, restart 0.2, restore 0.9, first round 0.1), 1,042 rounds repeated");
  }

  @Test
  void severalAreAddedUpInTheEnd() {
    Recovery second = new Recovery(19_000, 400, 190, 510, 0, 1);
    assertThat(Recoveries.inWords(List.of(FIRST, second), true))
        .isEqualTo(
            "2: 1.1 to 1.8 s, 2.9 s in all (detection 1.0, restart 0.4, restore 1.4, first round 0.1), 1,043 rounds repeated; no sample lost, none used twice");
  }

  @Test
  void whatIsToldAgainIsKnownAlready() {
    Recovery second = new Recovery(19_000, 400, 190, 510, 0, 1);
    Recoveries recoveries = new Recoveries();
    assertThat(recoveries.known()).isEmpty();
    assertThat(recoveries.notes()).isEmpty();
    recoveries.add(List.of(second));
    recoveries.add(List.of(FIRST, second));
    assertThat(recoveries.known()).hasValue(List.of(FIRST, second));
    assertThat(recoveries.notes()).hasSize(2).allMatch(note -> note.startsWith("recovery "));
  }

  @Test
  void whatNobodyKnowsIsNotSaid() {
    Recovery unknown = new Recovery(9_000, Recovery.UNKNOWN, 800, 900, 100, Recovery.UNKNOWN);
    assertThat(Recoveries.inWords(List.of(unknown), false))
        .isEqualTo("1: 1.8 s (detection and restart 0.8, restore 0.9, first round 0.1)");
  }
}
