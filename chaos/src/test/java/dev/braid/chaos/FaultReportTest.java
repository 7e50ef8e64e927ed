package dev.braid.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.event.Action;
import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.event.Happening;
import dev.braid.chaos.event.Happening.Outcome;
import dev.braid.chaos.event.Link;
import dev.braid.chaos.event.Target;
import dev.braid.worker.report.TextAccumulator;
import org.junit.jupiter.api.Test;

class FaultReportTest {

  private static final ChaosEvent CUT =
      ChaosEvent.of(new Action.Cut(), new Target.OfLink(new Link(3, 1), false)).withId("cut");

  private static final ChaosEvent HEAL =
      ChaosEvent.of(new Action.Heal(), new Target.OfLink(new Link(3, 1), false)).withId("heal");

  private final FaultReport.Teller teller = new FaultReport.Teller(1, 0);

  @Test
  void tellsWhatBeginsAndWhatIsOver() {
    assertThat(add(Outcome.APPLIED, CUT, 668, "")).isTrue();
    assertThat(report().inForce()).containsExactly("link 3–1 is cut");
    assertThat(add(Outcome.TOUCHED, CUT, 669, "")).isFalse();
    assertThat(add(Outcome.ENDED, CUT, 700, Happening.TIME_IS_OVER)).isTrue();
    assertThat(report().inForce()).isEmpty();
    assertThat(report().recent())
        .containsExactly("round 668: link 3–1 cut", "round 700: link 3–1 no longer cut");
  }

  @Test
  void whatIsMendedIsToldOnce_andWhatIsRestoredNotAgain() {
    add(Outcome.APPLIED, CUT, -1, Happening.RESTORED);
    assertThat(report().inForce()).containsExactly("link 3–1 is cut");
    add(Outcome.APPLIED, HEAL, 5, "");
    add(Outcome.ENDED, CUT, 5, "heal");
    assertThat(report().recent()).containsExactly("round 5: link 3–1 healed");
    assertThat(report().countInForce()).isZero();
  }

  @Test
  void tellsWhatChangesNothing_andWhy() {
    assertThat(add(Outcome.IGNORED, HEAL, 5, "there is nothing to heal")).isTrue();
    assertThat(add(Outcome.IGNORED, CUT, 9, Happening.NEVER_DUE)).isFalse();
    teller.refuse(CUT, -1, "there is no rank 3");
    assertThat(report().recent())
        .containsExactly(
            "round 5: heal link 3–1 changed nothing: there is nothing to heal",
            "before the first round: cut link 3–1 refused: there is no rank 3");
    assertThat(report().countInForce()).isZero();
  }

  @Test
  void isBounded() {
    for (int i = 0; i < 10_000; i++) {
      add(Outcome.APPLIED, CUT.withId("cut" + i), i, "");
    }
    assertThat(report().told()).isEqualTo(10_000);
    assertThat(report().countInForce()).isEqualTo(10_000);
    assertThat(teller.toJson().length()).isLessThan(2_000);
  }

  @Test
  void ranksTellTogether() {
    add(Outcome.APPLIED, CUT, 1, "");
    TextAccumulator all = new TextAccumulator();
    TextAccumulator one = new TextAccumulator();
    one.add(teller.toJson());
    all.merge(new TextAccumulator());
    all.merge(one);
    all.merge(one.clone());
    assertThat(FaultReport.parse(all.getLocalValue()).ranks()).hasSize(2);
    assertThat(FaultReport.parse("").ranks()).isEmpty();
  }

  private boolean add(Outcome outcome, ChaosEvent event, long round, String reason) {
    return teller.add(new Happening(outcome, event, 1, 0, round, reason));
  }

  private FaultReport.OfRank report() {
    return FaultReport.parse(teller.toJson()).ranks().get(0);
  }
}
