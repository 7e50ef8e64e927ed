package dev.braid.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.braid.chaos.event.Action;
import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.event.Happening;
import dev.braid.chaos.event.Happening.Outcome;
import dev.braid.chaos.event.Link;
import dev.braid.chaos.event.Start;
import dev.braid.chaos.event.Target;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the counts and logs of a plan, on which reports and tests of faults depend. */
class FaultEffectsTest {

  private static final long MILLI = 1_000_000;
  private static final Target LINK = new Target.OfLink(new Link(3, 1), false);

  private final PlayedPlan played = new PlayedPlan(7, 1);
  private final FaultPlan<PlayedPlan.Sent> plan = played.plan;

  static Stream<Arguments> kinds() {
    return Stream.of(
        Arguments.of(new Action.Cut(), LINK, Effect.CUT),
        Arguments.of(new Action.Isolate(), new Target.OfRank(1), Effect.ISOLATED),
        Arguments.of(new Action.Isolate(), new Target.OfRank(3), Effect.ISOLATED),
        Arguments.of(new Action.Drop(1), LINK, Effect.DROPPED),
        Arguments.of(new Action.Delay(5, 0), LINK, Effect.DELAYED),
        Arguments.of(new Action.Delay(0, 5), LINK, Effect.DELAYED),
        Arguments.of(new Action.Throttle(1000), LINK, Effect.THROTTLED),
        Arguments.of(new Action.Duplicate(1), LINK, Effect.DUPLICATED),
        Arguments.of(new Action.Reorder(1, 5), LINK, Effect.REORDERED),
        Arguments.of(new Action.Corrupt(1), LINK, Effect.CORRUPTED));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void eachKindCountsItsOwnEffect_andTellsOnceThatItTouched(
      Action action, Target target, Effect effect) {
    played.accept(ChaosEvent.of(action, target), 0);
    played.send(3, 1, 0, 10);
    played.send(3, 1, 1, 10);
    played.playTo(1000 * MILLI);

    assertThat(played.effects).isEqualTo(Map.of(effect, 2));
    assertThat(played.log)
        .extracting(Happening::outcome)
        .containsExactly(Outcome.APPLIED, Outcome.TOUCHED);
    boolean isLost = effect == Effect.CUT || effect == Effect.ISOLATED || effect == Effect.DROPPED;
    assertThat(played.lost).hasSize(isLost ? 2 : 0);
    assertThat(played.arrived).hasSize(isLost ? 0 : effect == Effect.DUPLICATED ? 4 : 2);
    assertThat(played.corrupt).isEqualTo(effect == Effect.CORRUPTED ? 2 : 0);
  }

  /** None of these faults affects a message, as may happen by chance. */
  @Test
  void whatDoesNothingToAMessageTouchesNothing() {
    for (Action action :
        List.of(
            new Action.Drop(0),
            new Action.Delay(0, 0),
            new Action.Duplicate(0),
            new Action.Reorder(0, 5),
            new Action.Corrupt(0))) {
      played.accept(ChaosEvent.of(action, LINK), 0);
    }
    assertThat(played.send(3, 1, 7, 10).arrivals()).containsExactly(7L);
    assertThat(played.effects).isEmpty();
    assertThat(played.log).extracting(Happening::outcome).containsOnly(Outcome.APPLIED);
    assertThat(plan.isQuiet()).as("with faults in force").isFalse();
  }

  /** Each message is delayed more by all of them than by each separately. */
  @Test
  void severalEffectsOfOneMessageCountEach() {
    played.accept(ChaosEvent.of(new Action.Delay(5, 0), LINK), 0);
    played.accept(ChaosEvent.of(new Action.Throttle(1000), LINK), 0);
    played.accept(ChaosEvent.of(new Action.Corrupt(1), LINK), 0);
    PlayedPlan.Sent sent = played.send(3, 1, 0, 10);
    played.playTo(1000 * MILLI);
    assertThat(sent.arrivals()).containsExactly(15 * MILLI);
    assertThat(played.effects)
        .isEqualTo(Map.of(Effect.DELAYED, 1, Effect.THROTTLED, 1, Effect.CORRUPTED, 1));
  }

  @Test
  void whatWaitsIsHandedOver_andForgotten() {
    played.accept(ChaosEvent.of(new Action.Throttle(1000), LINK), 0);
    played.accept(
        ChaosEvent.of(new Action.Delay(50, 0), new Target.OfLink(new Link(2, 0), false)), 0);
    played.accept(
        ChaosEvent.of(new Action.Reorder(1, 500), new Target.OfLink(new Link(4, 0), false)), 0);
    List<PlayedPlan.Sent> sent = new ArrayList<>();
    for (int[] link : new int[][] {{3, 1}, {2, 0}, {4, 0}}) {
      sent.add(played.send(link[0], link[1], 0, 100));
    }
    assertThat(played.arrived).isEmpty();
    assertThat(plan.nextReleaseNanos()).isLessThan(Long.MAX_VALUE);

    List<PlayedPlan.Sent> discarded = new ArrayList<>();
    plan.discard(discarded::add);
    assertThat(discarded).containsExactlyInAnyOrderElementsOf(sent);
    played.playTo(1000 * MILLI);
    assertThat(played.arrived).isEmpty();
    assertThat(plan.nextReleaseNanos()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aRankThatComputesSlowlyIsNotCutOff() {
    played.accept(ChaosEvent.of(new Action.Straggle(3), new Target.OfRank(1)), 0);
    assertThat(played.send(3, 1, 7, 10).arrivals()).containsExactly(7L);
    assertThat(plan.slowdown(1)).isEqualTo(3);
  }

  @Test
  void eventsThatWaitAreBounded() {
    for (int i = 0; i <= FaultPlan.MAX_FAULTS; i++) {
      ChaosEvent later = ChaosEvent.of(new Action.Cut(), LINK).withStart(new Start.AtRound(9));
      played.accept(later, i);
    }
    assertThat(played.log).hasSize(1);
    assertThat(played.log.get(0).reason()).isEqualTo("10000 events are pending or in force");
  }

  @Test
  void anIdMayBeUsedAgain_whereItsEventWasOneTooMany() {
    for (int i = 0; i < FaultPlan.MAX_ON_LINK; i++) {
      played.accept(ChaosEvent.of(new Action.Drop(0.5), LINK), i);
    }
    ChaosEvent named = ChaosEvent.of(new Action.Drop(0.5), LINK).withId("a");
    played.accept(named, 1000);
    played.accept(ChaosEvent.of(new Action.Heal(), LINK), 1001);
    played.log.clear();
    played.accept(named, 1002);
    assertThat(played.log).extracting(Happening::outcome).containsExactly(Outcome.APPLIED);
  }

  @Test
  void anEventForARankThatIsNotThereIsIgnored_andSaysWhy() {
    played.accept(ChaosEvent.of(new Action.Isolate(), new Target.OfRank(7)), 3);
    assertThat(played.log).hasSize(1);
    assertThat(played.log.get(0).outcome()).isEqualTo(Outcome.IGNORED);
    assertThat(played.log.get(0).reason()).contains("7");
    assertThat(plan.isQuiet()).isTrue();
  }

  @Test
  void anIdMayBeUsedAgain_onceItsEventIsOver() {
    ChaosEvent cut = ChaosEvent.of(new Action.Cut(), LINK).withId("a").withDuration(5);
    played.accept(cut, 0);
    played.accept(cut, MILLI);
    played.playTo(5 * MILLI);
    played.accept(cut, 6 * MILLI);
    assertThat(played.log)
        .extracting(Happening::outcome)
        .containsExactly(Outcome.APPLIED, Outcome.IGNORED, Outcome.ENDED, Outcome.APPLIED);
  }

  @Test
  void whatIsRestoredIsToldAnew_withItsIdTaken() throws Exception {
    played.accept(ChaosEvent.of(new Action.Cut(), LINK).withId("a"), 0);
    played.accept(
        ChaosEvent.of(new Action.Cut(), LINK).withId("b").withStart(new Start.AtRound(9)), 0);
    assertThat(plan.awaitsNoRound()).isFalse();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    plan.write(new DataOutputStream(bytes));

    PlayedPlan after = new PlayedPlan(7, 1);
    after.plan.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())), MILLI);
    assertThat(after.log).isEmpty();
    after.plan.tellInForce(MILLI);
    assertThat(after.log).hasSize(1);
    assertThat(after.log.get(0).outcome()).isEqualTo(Outcome.APPLIED);
    assertThat(after.log.get(0).reason()).isEqualTo(Happening.RESTORED);
    assertThat(after.send(3, 1, MILLI, 1).arrivals()).isEmpty();
    for (String id : List.of("a", "b")) {
      after.accept(ChaosEvent.of(new Action.Cut(), LINK).withId(id), 2 * MILLI);
    }
    assertThat(after.log.stream().filter(it -> it.outcome() == Outcome.IGNORED)).hasSize(2);
    after.plan.advance(3 * MILLI, 9);
    assertThat(after.plan.awaitsNoRound()).isTrue();
    assertThat(after.plan.inForce()).hasSize(2);
  }

  @Test
  void whatIsRestoredAmongFewerRanks_tellsOfEventsWhoseRanksAreGone() throws Exception {
    ChaosEvent inForce = ChaosEvent.of(new Action.Straggle(2), new Target.OfRank(5)).withId("a");
    ChaosEvent waiting =
        ChaosEvent.of(new Action.Isolate(), new Target.OfRank(6)).withStart(new Start.AtRound(9));
    ChaosEvent there = ChaosEvent.of(new Action.Straggle(2), new Target.OfRank(1)).withId("b");
    List.of(inForce, waiting, there).forEach(event -> played.accept(event, 0));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    plan.write(new DataOutputStream(bytes));

    PlayedPlan after = new PlayedPlan(2, 1);
    after.plan.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())), MILLI);
    after.plan.tellInForce(MILLI);
    assertThat(after.log)
        .extracting(Happening::outcome, Happening::event, Happening::rank, Happening::reason)
        .containsExactly(
            tuple(Outcome.IGNORED, waiting, 0, Happening.RANKS_ARE_GONE),
            tuple(Outcome.ENDED, inForce, 0, Happening.RANKS_ARE_GONE),
            tuple(Outcome.APPLIED, there, 1, Happening.RESTORED));
    assertThat(after.plan.inForce()).containsExactly(there);
    assertThat(after.plan.awaitsNoRound()).isTrue();
  }

  /** Otherwise the count of links would only grow, and events would be refused. */
  @Test
  void linksThatAreMendedAreNotCountedAnyMore() {
    for (int i = 0; i < 20_000; i++) {
      played.accept(ChaosEvent.of(new Action.Cut(), new Target.OfRank(1)), i);
      played.accept(ChaosEvent.of(new Action.Heal(), LINK), i);
      played.accept(ChaosEvent.of(new Action.Heal(), new Target.OfRank(1)), i);
    }
    assertThat(played.log).extracting(Happening::outcome).doesNotContain(Outcome.IGNORED);
    assertThat(plan.isQuiet()).isTrue();
  }
}
