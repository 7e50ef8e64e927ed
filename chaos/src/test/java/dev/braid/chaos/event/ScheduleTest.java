package dev.braid.chaos.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.event.Schedule.Faults;
import dev.braid.chaos.fault.FaultPlan;
import dev.braid.chaos.fault.MessageFates;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class ScheduleTest {

  private static final int DURATION_MILLIS = 2_000;

  private static List<ChaosEvent> draw(int ranks, long seed, Faults faults) {
    return new Schedule(seed, ranks, 50, DURATION_MILLIS, 300, faults).events();
  }

  @Property(tries = 100)
  void everyEventIsValid_andEnds(
      @ForAll @IntRange(min = 2, max = 20) int ranks, @ForAll long seed, @ForAll Faults faults)
      throws Exception {
    for (ChaosEvent event : draw(ranks, seed, faults)) {
      String text = EventWriter.write(event);
      assertThat(EventReader.read(text.getBytes(StandardCharsets.UTF_8))).isEqualTo(event);
      event.checkFor(ranks);
      assertThat(event.forMillis()).isPresent();
    }
  }

  /** A plan with the events in force shows which messages pass. */
  @Property(tries = 60)
  void withAPathLeft_everyRankHasAWayToEveryOther(
      @ForAll @IntRange(min = 2, max = 20) int ranks, @ForAll long seed) {
    assertThatAPathIsLeft(ranks, seed, Faults.PATH_LEFT);
  }

  @Property(tries = 60)
  void withCutsOfTreeLinks_everyRankHasAWayToEveryOther(
      @ForAll @IntRange(min = 3, max = 20) int ranks, @ForAll long seed) {
    assertThatAPathIsLeft(ranks, seed, Faults.CUTS);
  }

  private static void assertThatAPathIsLeft(int ranks, long seed, Faults faults) {
    Overlay overlay = new Overlay(ranks);
    FaultPlan<boolean[]> plan = plan(ranks, seed);
    draw(ranks, seed, faults).stream()
        .filter(event -> event.action() instanceof Action.Cut)
        .forEach(event -> plan.accept(event, 0));
    while (plan.nextChangeNanos() < Long.MAX_VALUE) {
      long now = plan.nextChangeNanos();
      plan.advance(now, -1);
      assertThat(overlay.isConnected(cut(plan, overlay, now))).as("at %d ns", now).isTrue();
    }
  }

  private static Set<Link> cut(FaultPlan<boolean[]> plan, Overlay overlay, long now) {
    return overlay.links().stream()
        .flatMap(link -> List.of(link, link.back()).stream())
        .filter(link -> !passes(plan, link, now))
        .collect(Collectors.toSet());
  }

  /** Returns a plan whose messages become true when they arrive. */
  private static FaultPlan<boolean[]> plan(int ranks, long seed) {
    MessageFates<boolean[]> fates =
        new MessageFates<>() {
          @Override
          public void arrive(boolean[] message, boolean corrupt, boolean again) {
            message[0] = true;
          }

          @Override
          public void lost(boolean[] message) {}
        };
    return new FaultPlan<>(ranks, seed, happening -> {}, fates);
  }

  private static boolean passes(FaultPlan<boolean[]> plan, Link link, long now) {
    boolean[] arrives = {false};
    plan.carry(arrives, link.from(), link.to(), 1, now);
    return arrives[0];
  }

  @Property(tries = 60)
  void oneCut_isOneLinkAtATime_bothWays(
      @ForAll @IntRange(min = 2, max = 20) int ranks, @ForAll long seed) {
    FaultPlan<boolean[]> plan = plan(ranks, seed);
    draw(ranks, seed, Faults.ONE_CUT).stream()
        .filter(event -> event.action() instanceof Action.Cut)
        .peek(event -> assertThat(((Target.OfLink) event.target()).oneWay()).isFalse())
        .forEach(event -> plan.accept(event, 0));
    while (plan.nextChangeNanos() < Long.MAX_VALUE) {
      plan.advance(plan.nextChangeNanos(), -1);
      assertThat(plan.inForce()).hasSizeLessThanOrEqualTo(1);
    }
  }

  /** The rate is 50 a second for 2 seconds. */
  @Example
  void drawsAsManyAsTheRateSays() {
    assertThat(draw(7, 1, Faults.ANY)).hasSizeBetween(70, 130);
    assertThat(draw(7, 1, Faults.CUTS)).hasSizeBetween(70, 130);
  }
}
