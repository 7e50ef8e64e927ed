package dev.braid.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.braid.chaos.event.Action;
import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.event.Events;
import dev.braid.chaos.event.Happening;
import dev.braid.chaos.event.Happening.Outcome;
import dev.braid.chaos.event.Link;
import dev.braid.chaos.event.Start;
import dev.braid.chaos.event.Target;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class FaultPlanTest {

  private static final long MILLI = 1_000_000;
  private static final Target LINK = new Target.OfLink(new Link(3, 1), false);
  private static final Target ONE_WAY = new Target.OfLink(new Link(3, 1), true);

  private static final Comparator<PlayedPlan.Sent> BY_NUMBER =
      Comparator.comparingInt(PlayedPlan.Sent::number);

  private final PlayedPlan played = new PlayedPlan(7, 1);
  private final FaultPlan<PlayedPlan.Sent> plan = played.plan;
  private final List<Happening> log = played.log;
  private final PlayedPlan flood = new PlayedPlan(64, 1);

  /** Returns when a message from 3 to 1 that is sent at this time arrives; empty if it is lost. */
  private List<Long> send(long nowNanos, long bytes) {
    return send(3, 1, nowNanos, bytes);
  }

  /** Returns a list that is filled as time advances. */
  private List<Long> send(int from, int to, long nowNanos, long bytes) {
    return played.send(from, to, nowNanos, bytes).arrivals();
  }

  @Test
  void withoutEventsEveryMessageArrivesAtOnce() {
    assertThat(send(5, 100)).containsExactly(5L);
    assertThat(plan.isQuiet()).isTrue();
    assertThat(played.next()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aCutLosesBothWaysUntilItsTimeIsOver() {
    played.accept(ChaosEvent.of(new Action.Cut(), LINK).withDuration(5), 10 * MILLI);
    assertThat(send(3, 1, 10 * MILLI, 1)).isEmpty();
    assertThat(send(1, 3, 10 * MILLI, 1)).isEmpty();
    assertThat(send(0, 1, 10 * MILLI, 1)).hasSize(1);
    assertThat(plan.nextChangeNanos()).isEqualTo(15 * MILLI);
    plan.advance(15 * MILLI, -1);
    assertThat(send(3, 1, 15 * MILLI, 1)).hasSize(1);
    assertThat(log)
        .extracting(Happening::outcome)
        .containsExactly(Outcome.APPLIED, Outcome.TOUCHED, Outcome.ENDED);
  }

  /** No message came meanwhile, so the fault has changed nothing. */
  @Test
  void aFaultThatMeetsNoMessageTouchesNothing() {
    played.accept(ChaosEvent.of(new Action.Cut(), LINK).withDuration(5), 0);
    played.accept(ChaosEvent.of(new Action.Drop(0), LINK).withDuration(5), 0);
    assertThat(send(0, 1, 1, 1)).hasSize(1);
    plan.advance(5 * MILLI, -1);
    assertThat(log)
        .extracting(Happening::outcome)
        .containsExactly(Outcome.APPLIED, Outcome.APPLIED, Outcome.ENDED, Outcome.ENDED);
  }

  @Test
  void whatIsInForceAtTheEndEnds_andWhatHasNotBegunIsTold() {
    ChaosEvent cut = ChaosEvent.of(new Action.Cut(), LINK);
    played.accept(cut.withStart(new Start.AtRound(7)).withId("round"), 0);
    played.accept(cut.withStart(new Start.After(9)).withId("time"), 0);
    played.accept(cut.withId("now"), 0);
    log.clear();
    plan.trainingEnded(1);
    assertThat(log)
        .extracting(happening -> happening.event().id().orElseThrow(), Happening::reason)
        .containsExactly(
            tuple("now", Happening.TRAINING_ENDED),
            tuple("round", Happening.NEVER_DUE),
            tuple("time", Happening.NEVER_DUE));
    assertThat(log.get(0).outcome()).isEqualTo(Outcome.ENDED);
  }

  @Test
  void eachFaultTouchesOnce() {
    played.accept(ChaosEvent.of(new Action.Delay(1, 0), LINK), 0);
    played.accept(ChaosEvent.of(new Action.Throttle(1000), LINK), 0);
    send(3, 1, 0, 1);
    send(3, 1, 0, 1);
    assertThat(log)
        .extracting(Happening::outcome)
        .containsExactly(Outcome.APPLIED, Outcome.APPLIED, Outcome.TOUCHED, Outcome.TOUCHED);
  }

  /** An event may concern many ranks, and its first rank is the same in all of its lines. */
  @Test
  void aTouchIsOfTheLinkThatTheMessageWentOn() {
    played.accept(ChaosEvent.of(new Action.Cut(), new Target.OfRank(1)), 0);
    played.accept(ChaosEvent.of(new Action.Isolate(), new Target.OfRank(2)), 0);
    send(4, 1, 0, 1);
    send(2, 3, 0, 1);
    played.accept(ChaosEvent.of(new Action.Isolate(), new Target.OfRank(3)), 0);
    send(3, 3, 0, 1);
    assertThat(log)
        .filteredOn(happening -> happening.outcome() == Outcome.TOUCHED)
        .extracting(Happening::touched)
        .containsExactly(
            Optional.of(new Link(4, 1)), Optional.of(new Link(2, 3)), Optional.empty());
    assertThat(log)
        .filteredOn(happening -> happening.outcome() != Outcome.TOUCHED)
        .allMatch(happening -> happening.touched().isEmpty());
  }

  @Test
  void aOneWayCutLeavesTheOtherWay() {
    played.accept(ChaosEvent.of(new Action.Cut(), ONE_WAY), 0);
    assertThat(send(3, 1, 0, 1)).isEmpty();
    assertThat(send(1, 3, 0, 1)).hasSize(1);
  }

  @Test
  void healEndsWhatIsInForceOnItsLinksOnly() {
    played.accept(ChaosEvent.of(new Action.Cut(), new Target.OfRank(1)).withId("rank"), 0);
    played.accept(ChaosEvent.of(new Action.Cut(), LINK).withId("link"), 0);
    played.accept(ChaosEvent.of(new Action.Heal(), LINK), 1);
    assertThat(send(3, 1, 1, 1)).hasSize(1);
    assertThat(send(4, 1, 1, 1)).isEmpty();
    assertThat(plan.inForce())
        .extracting(event -> event.id().orElseThrow())
        .containsExactly("rank");
  }

  @Test
  void healDoesNotBringAnIsolatedRankBack() {
    played.accept(ChaosEvent.of(new Action.Isolate(), new Target.OfRank(1)), 0);
    played.accept(ChaosEvent.of(new Action.Heal(), new Target.OfRank(1)), 1);
    assertThat(send(3, 1, 1, 1)).isEmpty();
    played.accept(ChaosEvent.of(new Action.Rejoin(), new Target.OfRank(1)), 2);
    assertThat(send(3, 1, 2, 1)).hasSize(1);
    assertThat(log)
        .extracting(Happening::outcome)
        .containsExactly(
            Outcome.APPLIED, Outcome.IGNORED, Outcome.TOUCHED, Outcome.APPLIED, Outcome.ENDED);
    assertThat(log.get(1).reason()).isEqualTo("there is nothing to heal");
  }

  /** The isolated rank may see no further round. */
  @Test
  void isolationIsToldOfByARankThatIsNotIsolated() {
    played.accept(ChaosEvent.of(new Action.Isolate(), new Target.OfRank(0)), 0);
    played.accept(ChaosEvent.of(new Action.Rejoin(), new Target.OfRank(0)), 1);
    played.accept(ChaosEvent.of(new Action.Isolate(), new Target.OfRank(3)), 2);
    assertThat(log).extracting(Happening::rank).containsExactly(1, 1, 1, 0);
  }

  @Test
  void anEventOfARoundBeginsWithThatRound() {
    played.accept(ChaosEvent.of(new Action.Cut(), LINK).withStart(new Start.AtRound(7)), 0);
    assertThat(plan.awaitsNoRound()).isFalse();
    plan.advance(1, 6);
    assertThat(send(1, 1)).hasSize(1);
    plan.advance(2, 8);
    assertThat(send(2, 1)).isEmpty();
    assertThat(log.get(0).round()).isEqualTo(8);
  }

  @Test
  void anEventOfATimeBeginsThen() {
    played.accept(ChaosEvent.of(new Action.Cut(), LINK).withStart(new Start.After(3)), 0);
    assertThat(plan.nextChangeNanos()).isEqualTo(3 * MILLI);
    plan.advance(3 * MILLI, -1);
    assertThat(send(3 * MILLI, 1)).isEmpty();
  }

  @Test
  void delayKeepsTheOrderWhateverTheJitter() {
    played.accept(ChaosEvent.of(new Action.Delay(5, 20), LINK), 0);
    for (long i = 0; i < 1000; i++) {
      send(i * MILLI, 1);
    }
    played.playTo(10_000 * MILLI);
    assertThat(played.arrived).hasSize(1000).isSortedAccordingTo(BY_NUMBER);
    for (PlayedPlan.Sent message : played.arrived) {
      assertThat(message.arrivals().get(0) - message.nanos()).isBetween(5 * MILLI, 45 * MILLI);
    }
    assertThat(played.effects.get(Effect.DELAYED)).isEqualTo(1000);
  }

  @Test
  void whatWaitsWhenADelayEnds_goesOnAtOnce_andIsNotOvertaken() {
    played.accept(ChaosEvent.of(new Action.Delay(10, 0), LINK).withDuration(1), 0);
    List<Long> late = send(0, 1);
    List<Long> later = send(MILLI, 1);
    assertThat(late).containsExactly(MILLI);
    assertThat(later).containsExactly(MILLI);
    assertThat(played.arrived).isSortedAccordingTo(BY_NUMBER);
    assertThat(plan.isQuiet()).isTrue();
  }

  @Test
  void aThrottledLinkQueues() {
    played.accept(ChaosEvent.of(new Action.Throttle(1000), LINK), 0);
    List<Long> first = send(0, 10);
    List<Long> second = send(0, 20);
    List<Long> third = send(100 * MILLI, 1);
    played.playTo(1000 * MILLI);
    assertThat(first).containsExactly(10 * MILLI);
    assertThat(second).containsExactly(30 * MILLI);
    assertThat(third).containsExactly(101 * MILLI);
  }

  /** 5 of 10 bytes are through when the other throttle ends, and all when both have ended. */
  @Test
  void aThrottleThatEnds_leavesTheRateOfTheOthers() {
    played.accept(ChaosEvent.of(new Action.Throttle(1000), LINK).withDuration(5), 0);
    played.accept(ChaosEvent.of(new Action.Throttle(10_000), LINK).withDuration(10), 0);
    List<Long> first = send(0, 10);
    List<Long> second = send(0, 1_000_000);
    played.playTo(100 * MILLI);
    assertThat(first).containsExactly(5 * MILLI + MILLI / 2);
    assertThat(second).containsExactly(10 * MILLI);
  }

  @Test
  void aSlowerThrottleActsOnWhatWaitsAlready() {
    played.accept(ChaosEvent.of(new Action.Throttle(1000), LINK), 0);
    List<Long> first = send(0, 10);
    played.accept(ChaosEvent.of(new Action.Throttle(100), LINK), 5 * MILLI);
    played.playTo(1000 * MILLI);
    assertThat(first).containsExactly(55 * MILLI);
  }

  @Test
  void healLetsGoWhatWaits_andThenThereIsNothingToHeal() {
    played.accept(ChaosEvent.of(new Action.Throttle(1), LINK).withDuration(1000), 0);
    played.accept(ChaosEvent.of(new Action.Delay(60_000, 0), LINK), 0);
    List<Long> message = send(0, 1_000_000);
    played.accept(ChaosEvent.of(new Action.Heal(), LINK), 2000 * MILLI);
    assertThat(message).containsExactly(2000 * MILLI);
    played.accept(ChaosEvent.of(new Action.Heal(), LINK), 2000 * MILLI);
    assertThat(log.get(log.size() - 1).reason()).isEqualTo("there is nothing to heal");
  }

  @Test
  void dropDuplicateAndCorruptHappenAsOftenAsTheySay() {
    played.accept(ChaosEvent.of(new Action.Drop(0.25), ONE_WAY), 0);
    played.accept(ChaosEvent.of(new Action.Duplicate(0.5), ONE_WAY), 0);
    played.accept(ChaosEvent.of(new Action.Corrupt(0.1), ONE_WAY), 0);
    int[] counts = new int[3];
    for (int i = 0; i < 10_000; i++) {
      counts[send(i, 1).size()]++;
    }
    assertThat(counts[0]).isBetween(2300, 2700).isEqualTo(played.lost.size());
    assertThat(counts[2]).isBetween(3500, 4000);
    assertThat(played.corrupt).isBetween(900, 1350);
    assertThat(played.effects.get(Effect.DROPPED)).isEqualTo(counts[0]);
    assertThat(played.effects.get(Effect.DUPLICATED)).isEqualTo(counts[2]);
    assertThat(played.effects.get(Effect.CORRUPTED)).isBetween(600, 900);
  }

  @Test
  void reorderLetsLaterMessagesOvertake() {
    played.accept(ChaosEvent.of(new Action.Reorder(0.5, 10), LINK), 0);
    for (long i = 0; i < 1000; i++) {
      send(i * MILLI, 1);
    }
    played.playTo(10_000 * MILLI);
    int overtaken = 0;
    for (int i = 1; i < 1000; i++) {
      PlayedPlan.Sent message = played.arrived.get(i);
      assertThat(message.arrivals().get(0) - message.nanos()).isBetween(0L, 10 * MILLI);
      overtaken += message.number() < played.arrived.get(i - 1).number() ? 1 : 0;
    }
    assertThat(overtaken).isGreaterThan(100);
  }

  @Test
  void stragglingMultiplies() {
    played.accept(ChaosEvent.of(new Action.Straggle(2), new Target.OfRank(4)), 0);
    played.accept(ChaosEvent.of(new Action.Straggle(3), new Target.OfLevel(2)).withDuration(1), 0);
    assertThat(plan.slowdown(4)).isEqualTo(6);
    assertThat(plan.slowdown(5)).isEqualTo(3);
    assertThat(plan.slowdown(0)).isEqualTo(1);
    plan.advance(MILLI, -1);
    assertThat(plan.slowdown(4)).isEqualTo(2);
  }

  @Test
  void anIdThatIsInForceIsNotTakenTwice() {
    played.accept(ChaosEvent.of(new Action.Cut(), LINK).withId("a"), 0);
    played.accept(ChaosEvent.of(new Action.Cut(), LINK).withId("a"), 0);
    assertThat(log)
        .extracting(Happening::outcome)
        .containsExactly(Outcome.APPLIED, Outcome.IGNORED);
  }

  @Property(tries = 200)
  void aRestoredPlanGoesOnAsTheOldOneWould(@ForAll long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    FaultPlan<PlayedPlan.Sent> first = new PlayedPlan(7, 1).plan;
    long now = 0;
    for (int i = 0; i < 20; i++) {
      first.accept(Events.draw(random, 7), now);
      now += random.nextLong(2000) * MILLI;
      first.advance(now, random.nextLong(500));
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    first.write(new DataOutputStream(bytes));
    FaultPlan<PlayedPlan.Sent> second = new PlayedPlan(7, 1).plan;
    second.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())), now);

    for (int i = 0; i < 50; i++) {
      assertThat(second.inForce()).isEqualTo(first.inForce());
      assertThat(second.nextChangeNanos()).isEqualTo(first.nextChangeNanos());
      for (int rank = 0; rank < 7; rank++) {
        assertThat(second.slowdown(rank)).isEqualTo(first.slowdown(rank));
      }
      now += 200 * MILLI;
      first.advance(now, i * 20L);
      second.advance(now, i * 20L);
    }
  }

  @Property(tries = 200)
  void whenAllIsHealedNothingIsInForce(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    PlayedPlan faults = new PlayedPlan(7, seed);
    for (int i = 0; i < 30; i++) {
      faults.accept(Events.draw(random, 7).withStart(new Start.Now()), i);
      faults.send(0, 6, i, 1000);
    }
    for (int rank = 0; rank < 7; rank++) {
      faults.accept(ChaosEvent.of(new Action.Heal(), new Target.OfRank(rank)), 100);
      faults.accept(ChaosEvent.of(new Action.Rejoin(), new Target.OfRank(rank)), 100);
    }
    assertThat(faults.plan.isQuiet()).isTrue();
    assertThat(faults.send(0, 6, Long.MAX_VALUE / 2, 1).arrivals())
        .containsExactly(Long.MAX_VALUE / 2);
  }

  /** A client that writes events cannot make each cost as much as all events in force. */
  @Test
  void anEventCostsTheLinksThatItIsAbout_whateverElseIsInForce() {
    int links = 0;
    for (int i = 0; i < FaultPlan.MAX_FAULTS; i++) {
      Link link = new Link(i % 64, (i + 1 + i / 64 % 63) % 64);
      Target target = new Target.OfLink(link, i % 2 == 0);
      flood.accept(ChaosEvent.of(new Action.Drop(0.5), target).withId("event-" + i), i);
      links += i % 2 == 0 ? 1 : 2;
      assertThat(flood.plan.changesOfLinks()).isEqualTo(links);
    }
    assertThat(flood.plan.inForce()).hasSize(FaultPlan.MAX_FAULTS);
    flood.accept(ChaosEvent.of(new Action.Drop(0.5), LINK), 10_000);
    assertThat(last(flood).reason()).isEqualTo("10000 events are pending or in force");
    int onLink = (int) flood.plan.inForce().stream().filter(FaultPlanTest::isAboutLink).count();
    flood.accept(ChaosEvent.of(new Action.Heal(), new Target.OfLink(new Link(0, 1), true)), 10_001);
    assertThat(flood.plan.changesOfLinks() - links).isEqualTo(onLink);
  }

  /** A message meets every fault of its link. */
  @Test
  void faultsOfOneLinkAreBounded() {
    for (int i = 0; i <= FaultPlan.MAX_ON_LINK; i++) {
      played.accept(ChaosEvent.of(new Action.Drop(0.5), LINK), i);
    }
    assertThat(log.get(FaultPlan.MAX_ON_LINK).reason())
        .isEqualTo("100 faults are in force on link 3 → 1");
    played.accept(ChaosEvent.of(new Action.Heal(), LINK), 1000);
    played.accept(ChaosEvent.of(new Action.Drop(0.5), LINK), 1000);
    assertThat(plan.inForce()).hasSize(1);
  }

  /** Each event has 126 links; waiting events have none. */
  @Test
  void theMemoryAndTheStateOfAFloodAreBounded() throws Exception {
    for (int i = 0; i < 2 * FaultPlan.MAX_FAULTS; i++) {
      Start start = i % 2 == 0 ? new Start.Now() : new Start.AtRound(i);
      ChaosEvent event = ChaosEvent.of(new Action.Drop(0.5), new Target.OfRank(i / 2 % 64));
      flood.accept(event.withStart(start).withId("event-" + i), i);
    }
    assertThat(flood.plan.inForce()).hasSize(FaultPlan.MAX_LINKS / 126);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    flood.plan.write(new DataOutputStream(bytes));
    assertThat(bytes.size()).isBetween(300_000, 1_000_000);
  }

  /** Events that are over leave nothing behind. */
  @Test
  void whatIsOverIsForgotten() throws Exception {
    int empty = stateBytes();
    for (int i = 0; i < 100_000; i++) {
      Target target = new Target.OfLink(new Link(i % 63, 63), false);
      flood.accept(ChaosEvent.of(new Action.Delay(5, 5), target).withDuration(1), i * MILLI / 10);
      flood.send(i % 63, 63, i * MILLI / 10, 10);
    }
    flood.playTo(100_000 * MILLI);
    assertThat(flood.plan.isQuiet()).isTrue();
    assertThat(flood.next()).isEqualTo(Long.MAX_VALUE);
    assertThat(stateBytes()).isEqualTo(empty);
    assertThat(flood.arrived).hasSize(100_000);
  }

  private int stateBytes() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    flood.plan.write(new DataOutputStream(bytes));
    return bytes.size();
  }

  private static Happening last(PlayedPlan of) {
    return of.log.get(of.log.size() - 1);
  }

  private static boolean isAboutLink(ChaosEvent event) {
    return event.target() instanceof Target.OfLink of
        && (of.link().equals(new Link(0, 1))
            || (!of.oneWay() && of.link().back().equals(new Link(0, 1))));
  }
}
