package dev.braid.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class FaultPlanTest {

  private static final long MILLI = 1_000_000;
  private static final Target LINK = new Target.OfLink(new Link(3, 1), false);
  private static final Target ONE_WAY = new Target.OfLink(new Link(3, 1), true);

  private final List<Happening> log = new ArrayList<>();
  private final FaultPlan plan = new FaultPlan(7, 1, log::add);

  /** When a message from 3 to 1 arrives that is sent at this time; empty if it is lost. */
  private List<Long> send(long nowNanos, long bytes) {
    return send(3, 1, nowNanos, bytes);
  }

  private List<Long> send(int from, int to, long nowNanos, long bytes) {
    List<Long> arrivals = new ArrayList<>();
    plan.carry(from, to, bytes, nowNanos, (nanos, corrupt) -> arrivals.add(nanos));
    return arrivals;
  }

  @Test
  void withoutEventsEveryMessageArrivesAtOnce() {
    assertThat(send(5, 100)).containsExactly(5L);
    assertThat(plan.isQuiet()).isTrue();
    assertThat(plan.nextNanos()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aCutLosesBothWaysUntilItsTimeIsOver() {
    plan.accept(ChaosEvent.of(new Action.Cut(), LINK).withDuration(5), 10 * MILLI);
    assertThat(send(3, 1, 10 * MILLI, 1)).isEmpty();
    assertThat(send(1, 3, 10 * MILLI, 1)).isEmpty();
    assertThat(send(0, 1, 10 * MILLI, 1)).hasSize(1);
    assertThat(plan.nextNanos()).isEqualTo(15 * MILLI);
    plan.advance(15 * MILLI, -1);
    assertThat(send(3, 1, 15 * MILLI, 1)).hasSize(1);
    assertThat(log).extracting(Happening::outcome).containsExactly(Outcome.APPLIED, Outcome.ENDED);
  }

  @Test
  void aOneWayCutLeavesTheOtherWay() {
    plan.accept(ChaosEvent.of(new Action.Cut(), ONE_WAY), 0);
    assertThat(send(3, 1, 0, 1)).isEmpty();
    assertThat(send(1, 3, 0, 1)).hasSize(1);
  }

  @Test
  void healEndsWhatIsInForceOnItsLinksOnly() {
    plan.accept(ChaosEvent.of(new Action.Cut(), new Target.OfRank(1)).withId("rank"), 0);
    plan.accept(ChaosEvent.of(new Action.Cut(), LINK).withId("link"), 0);
    plan.accept(ChaosEvent.of(new Action.Heal(), LINK), 1);
    assertThat(send(3, 1, 1, 1)).hasSize(1);
    assertThat(send(4, 1, 1, 1)).isEmpty();
    assertThat(plan.inForce())
        .extracting(event -> event.id().orElseThrow())
        .containsExactly("rank");
  }

  @Test
  void healDoesNotBringAnIsolatedRankBack() {
    plan.accept(ChaosEvent.of(new Action.Isolate(), new Target.OfRank(1)), 0);
    plan.accept(ChaosEvent.of(new Action.Heal(), new Target.OfRank(1)), 1);
    assertThat(send(3, 1, 1, 1)).isEmpty();
    plan.accept(ChaosEvent.of(new Action.Rejoin(), new Target.OfRank(1)), 2);
    assertThat(send(3, 1, 2, 1)).hasSize(1);
    assertThat(log)
        .extracting(Happening::outcome)
        .containsExactly(Outcome.APPLIED, Outcome.IGNORED, Outcome.APPLIED, Outcome.ENDED);
    assertThat(log.get(1).reason()).isEqualTo("there is nothing to heal");
  }

  /** The isolated one may see no round any more. */
  @Test
  void isolationIsToldOfByARankThatIsNotIsolated() {
    plan.accept(ChaosEvent.of(new Action.Isolate(), new Target.OfRank(0)), 0);
    plan.accept(ChaosEvent.of(new Action.Rejoin(), new Target.OfRank(0)), 1);
    plan.accept(ChaosEvent.of(new Action.Isolate(), new Target.OfRank(3)), 2);
    assertThat(log).extracting(Happening::rank).containsExactly(1, 1, 1, 0);
  }

  @Test
  void anEventOfARoundBeginsWithThatRound() {
    plan.accept(ChaosEvent.of(new Action.Cut(), LINK).withStart(new Start.AtRound(7)), 0);
    assertThat(plan.awaitsNoRound()).isFalse();
    plan.advance(1, 6);
    assertThat(send(1, 1)).hasSize(1);
    plan.advance(2, 8);
    assertThat(send(2, 1)).isEmpty();
    assertThat(log.get(0).round()).isEqualTo(8);
  }

  @Test
  void anEventOfATimeBeginsThen() {
    plan.accept(ChaosEvent.of(new Action.Cut(), LINK).withStart(new Start.After(3)), 0);
    assertThat(plan.nextNanos()).isEqualTo(3 * MILLI);
    plan.advance(3 * MILLI, -1);
    assertThat(send(3 * MILLI, 1)).isEmpty();
  }

  @Test
  void delayKeepsTheOrderWhateverTheJitter() {
    plan.accept(ChaosEvent.of(new Action.Delay(5, 20), LINK), 0);
    long last = 0;
    for (long i = 0; i < 1000; i++) {
      long arrival = send(i * MILLI, 1).get(0);
      assertThat(arrival - i * MILLI).isBetween(5 * MILLI, 45 * MILLI);
      assertThat(arrival).isGreaterThanOrEqualTo(last);
      last = arrival;
    }
  }

  @Test
  void whatIsOnItsWayIsNotOvertakenWhenTheDelayEnds() {
    plan.accept(ChaosEvent.of(new Action.Delay(10, 0), LINK).withDuration(1), 0);
    assertThat(send(0, 1)).containsExactly(10 * MILLI);
    plan.advance(MILLI, -1);
    assertThat(send(MILLI, 1)).containsExactly(10 * MILLI);
    assertThat(send(11 * MILLI, 1)).containsExactly(11 * MILLI);
  }

  @Test
  void aThrottledLinkQueues() {
    plan.accept(ChaosEvent.of(new Action.Throttle(1000), LINK), 0);
    assertThat(send(0, 10)).containsExactly(10 * MILLI);
    assertThat(send(0, 20)).containsExactly(30 * MILLI);
    assertThat(send(100 * MILLI, 1)).containsExactly(101 * MILLI);
  }

  @Test
  void dropDuplicateAndCorruptHappenAsOftenAsTheySay() {
    plan.accept(ChaosEvent.of(new Action.Drop(0.25), ONE_WAY), 0);
    plan.accept(ChaosEvent.of(new Action.Duplicate(0.5), ONE_WAY), 0);
    plan.accept(ChaosEvent.of(new Action.Corrupt(0.1), ONE_WAY), 0);
    int[] counts = new int[3];
    int[] corruptions = {0};
    for (int i = 0; i < 10_000; i++) {
      int[] arrivals = {0};
      plan.carry(
          3,
          1,
          1,
          i,
          (nanos, corrupt) -> {
            arrivals[0]++;
            corruptions[0] += corrupt ? 1 : 0;
          });
      counts[arrivals[0]]++;
    }
    assertThat(counts[0]).isBetween(2300, 2700);
    assertThat(counts[2]).isBetween(3500, 4000);
    assertThat(corruptions[0]).isBetween(900, 1350);
  }

  @Test
  void reorderLetsLaterMessagesOvertake() {
    plan.accept(ChaosEvent.of(new Action.Reorder(0.5, 10), LINK), 0);
    int overtaken = 0;
    long last = 0;
    for (long i = 0; i < 1000; i++) {
      long arrival = send(i * MILLI, 1).get(0);
      assertThat(arrival - i * MILLI).isBetween(0L, 10 * MILLI);
      overtaken += arrival < last ? 1 : 0;
      last = arrival;
    }
    assertThat(overtaken).isGreaterThan(100);
  }

  @Test
  void stragglingMultiplies() {
    plan.accept(ChaosEvent.of(new Action.Straggle(2), new Target.OfRank(4)), 0);
    plan.accept(ChaosEvent.of(new Action.Straggle(3), new Target.OfLevel(2)).withDuration(1), 0);
    assertThat(plan.slowdown(4)).isEqualTo(6);
    assertThat(plan.slowdown(5)).isEqualTo(3);
    assertThat(plan.slowdown(0)).isEqualTo(1);
    plan.advance(MILLI, -1);
    assertThat(plan.slowdown(4)).isEqualTo(2);
  }

  @Test
  void anIdThatIsInForceIsNotTakenTwice() {
    plan.accept(ChaosEvent.of(new Action.Cut(), LINK).withId("a"), 0);
    plan.accept(ChaosEvent.of(new Action.Cut(), LINK).withId("a"), 0);
    assertThat(log)
        .extracting(Happening::outcome)
        .containsExactly(Outcome.APPLIED, Outcome.IGNORED);
  }

  @Property(tries = 200)
  void aRestoredPlanGoesOnAsTheOldOneWould(@ForAll long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    FaultPlan first = new FaultPlan(7, 1, happening -> {});
    long now = 0;
    for (int i = 0; i < 20; i++) {
      first.accept(Events.draw(random, 7), now);
      now += random.nextLong(2000) * MILLI;
      first.advance(now, random.nextLong(500));
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    first.write(new DataOutputStream(bytes));
    FaultPlan second = new FaultPlan(7, 1, happening -> {});
    second.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));

    for (int i = 0; i < 50; i++) {
      assertThat(second.inForce()).isEqualTo(first.inForce());
      assertThat(second.nextNanos()).isEqualTo(first.nextNanos());
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
    FaultPlan faults = new FaultPlan(7, seed, happening -> {});
    for (int i = 0; i < 30; i++) {
      faults.accept(Events.draw(random, 7).withStart(new Start.Now()), i);
    }
    for (int rank = 0; rank < 7; rank++) {
      faults.accept(ChaosEvent.of(new Action.Heal(), new Target.OfRank(rank)), 100);
      faults.accept(ChaosEvent.of(new Action.Rejoin(), new Target.OfRank(rank)), 100);
    }
    assertThat(faults.isQuiet()).isTrue();
    List<Long> arrivals = new ArrayList<>();
    faults.carry(0, 6, 1, Long.MAX_VALUE / 2, (nanos, corrupt) -> arrivals.add(nanos));
    assertThat(arrivals).containsExactly(Long.MAX_VALUE / 2);
  }
}
