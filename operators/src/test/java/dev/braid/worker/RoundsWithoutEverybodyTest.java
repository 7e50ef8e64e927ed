package dev.braid.worker;

import static dev.braid.worker.SimulatedTrainer.EPOCHS;
import static dev.braid.worker.SimulatedTrainer.ROUNDS_PER_EPOCH;
import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.server.ServerOptions;
import dev.braid.loop.LoopSimulation;
import dev.braid.loop.LoopSimulation.Rates;
import dev.braid.loop.coordinator.StoppingRule;
import dev.braid.worker.SimulatedTrainer.Outcome;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.statistics.Statistics;

/**
 * Trainings in which a round is complete without one rank's gradient, while that is computed, is
 * under way, or waits for a checkpoint: all ranks have the same model in the end, and the samples
 * that they say they have used are those that are in the sums.
 */
class RoundsWithoutEverybodyTest {

  private static final Way SYNCHRONOUS = new Way(ExchangeType.RING, ServerOptions.DEFAULT);

  @Property(tries = 300)
  void stragglersDropTheirBatches_andAllHaveTheSameModel(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 6) int ranks, @ForAll boolean stopsEarly)
      throws Exception {
    Outcome outcome = new Outcome();
    QuorumSum.Tally tally = new QuorumSum.Tally();
    StoppingRule target = stopsEarly ? StoppingRule.at(0.9) : StoppingRule.NONE;
    LoopSimulation simulation =
        new LoopSimulation(
            ranks,
            new SplittableRandom(seed),
            target,
            0,
            new Rates(0.02 / ranks, 0.01, 0, 0, 0),
            (rank, port, work, snapshots) ->
                new SimulatedTrainer(
                    rank,
                    ranks,
                    SYNCHRONOUS,
                    (config, world) -> new QuorumSum(config, world, tally),
                    stopsEarly,
                    port,
                    work,
                    snapshots,
                    outcome));
    simulation.run(1_000_000);

    int epochs = stopsEarly ? 2 : EPOCHS;
    TrainerUnderCheckpointsTest.check(outcome, ranks, stopsEarly);
    assertThat(outcome.weights().values()).allMatch(it -> sameBits(it, outcome.model()));
    for (float weight : outcome.model()) {
      assertThat(weight).as("no gradient that was left off is in a sum").isFinite();
    }
    long used =
        outcome.epochs().values().stream()
            .mapToLong(records -> IntStream.range(0, epochs).mapToLong(records::used).sum())
            .sum();
    assertThat(used).as("samples that ranks have used").isEqualTo(tally.samplesInSums);
    long all = ranks * (long) epochs * ROUNDS_PER_EPOCH * 3 - (ranks > 1 ? 3L * epochs : 0);
    collect("a gradient came too late", tally.lateGradients > 0);
    collect("samples were not used", used < all);
    collect("checkpoints", simulation.completedCheckpoints() > 0);
    collect("abortions", simulation.abortedCheckpoints() > 0);
  }

  private static boolean sameBits(float[] one, float[] other) {
    return java.util.Arrays.equals(one, other);
  }

  private static void collect(String what, boolean happened) {
    Statistics.label(what)
        .collect(happened)
        .coverage(tries -> tries.check(true).percentage(percent -> percent > 20));
  }
}
