package dev.braid.chaos.sim.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.event.Schedule.Faults;
import dev.braid.chaos.event.Start;
import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.condition.LinkModel;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class FaultSchedulesTest {

  private static final long MILLIS = 1_000_000;

  /** The network is the fastest possible one. */
  @Property(tries = 100)
  void everyFaultBeginsWhileTheRunLasts(@ForAll long seed) {
    RunChoice choice = RunChoice.of(seed);
    Assume.that(RandomRun.kindOf(choice) != FaultRunKind.RESCALED);
    RandomFaultRun run = new RandomFaultRun(choice);
    Assume.that(!run.kind().leavesStragglers());
    Simulation drawn = run.simulation();
    Simulation sound =
        Simulation.of(drawn.exchange(), drawn.ranks(), drawn.length())
            .options(drawn.options())
            .chunkLength(drawn.chunkLength())
            .rounds(drawn.rounds())
            .seed(seed)
            .links(linkSeed -> LinkModel.INSTANT)
            .computeTime(drawn.computeTime())
            .gradients(drawn.gradients())
            .build();
    long endNanos = sound.run().endNanos();

    for (ChaosEvent event : FaultSchedules.of(sound, Faults.ANY)) {
      assertThat(((Start.After) event.start()).millis() * MILLIS).isLessThanOrEqualTo(endNanos);
    }
  }
}
