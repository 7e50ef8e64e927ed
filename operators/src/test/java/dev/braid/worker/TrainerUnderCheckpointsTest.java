package dev.braid.worker;

import static dev.braid.worker.SimulatedTrainer.EPOCHS;
import static dev.braid.worker.SimulatedTrainer.LENGTH;
import static dev.braid.worker.SimulatedTrainer.ROUNDS_PER_EPOCH;
import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.ExchangeOptions.ServerOptions;
import dev.braid.exchange.ExchangeType;
import dev.braid.loop.LoopSimulation;
import dev.braid.loop.LoopSimulation.Rates;
import dev.braid.worker.SimulatedTrainer.Outcome;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/**
 * Real trainers, exchanges, hold protocols and the real coordinator under random interleavings of
 * messages, checkpoints, abortions and failures: whatever happens, the final weights have the bits
 * of an undisturbed run, and every checkpoint is consistent.
 *
 * <p>That holds for asynchronous exchanges too where gradients do not depend on the weights and all
 * sums are exact: then the order does not matter, and whatever is lost or applied twice shows.
 */
class TrainerUnderCheckpointsTest {

  private static final double CUT_RATE = 0.001;

  @Provide
  Arbitrary<Way> ways() {
    return Arbitraries.of(Way.all());
  }

  @Property(tries = 600)
  void sameBitsWhateverHappens(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 6) int workers,
      @ForAll("ways") Way way,
      @ForAll boolean withFailures,
      @ForAll boolean stopsEarly)
      throws Exception {
    // In the second epoch all samples are classified correctly, in the first none.
    OptionalDouble target = stopsEarly ? OptionalDouble.of(0.9) : OptionalDouble.empty();
    int ranks = workers + way.dedicated();
    // Of ranks that a cut network keeps apart for long, a fault-tolerant tree leaves some out.
    double cut = way.exchange() == ExchangeType.FT_TREE ? 0 : CUT_RATE;
    Outcome calm = run(1, ranks, way, target, Rates.CALM);
    Outcome stormy =
        run(
            seed,
            ranks,
            way,
            target,
            new Rates(0.02 / ranks, 0.01, withFailures ? 0.001 / ranks : 0, 0, cut));

    long expectedRounds = (stopsEarly ? 2 : EPOCHS) * (long) ROUNDS_PER_EPOCH;
    for (int rank = 0; rank < workers; rank++) {
      assertThat(stormy.rounds().get(rank)).isEqualTo(expectedRounds);
      // Partners of gossip take means with what the moment has.
      if (way.exchange() != ExchangeType.GOSSIP) {
        assertThat(stormy.weights().get(rank)).isEqualTo(calm.weights().get(0));
      }
    }
    if (way.isSynchronous() || way.exchange() == ExchangeType.PS) {
      assertThat(stormy.model()).isEqualTo(stormy.weights().get(0));
    }
  }

  /** Ranks are cut off, also while a checkpoint is taken, and are back, or not. */
  @Property(tries = 400)
  void ranksThatAreCutOffStopNobody(
      @ForAll long seed,
      @ForAll @IntRange(min = 2, max = 6) int ranks,
      @ForAll boolean withFailures,
      @ForAll boolean stopsEarly)
      throws Exception {
    OptionalDouble target = stopsEarly ? OptionalDouble.of(0.9) : OptionalDouble.empty();
    Outcome outcome =
        run(
            seed,
            ranks,
            new Way(ExchangeType.FT_TREE, ServerOptions.DEFAULT),
            target,
            new Rates(0.02 / ranks, 0.01, withFailures ? 0.0005 / ranks : 0, 0.003, CUT_RATE));
    long expectedRounds = (stopsEarly ? 2 : EPOCHS) * (long) ROUNDS_PER_EPOCH;
    assertThat(outcome.rounds().values()).hasSize(ranks).containsOnly(expectedRounds);
    assertThat(outcome.leftOut()).hasSizeLessThan(ranks);
    float[] first =
        outcome.weights().entrySet().stream()
            .filter(entry -> !outcome.leftOut().contains(entry.getKey()))
            .findFirst()
            .orElseThrow()
            .getValue();
    outcome
        .weights()
        .forEach(
            (rank, weights) -> {
              if (!outcome.leftOut().contains(rank)) {
                assertThat(weights).as("rank %d", rank).isEqualTo(first);
              }
            });
    assertThat(outcome.model()).isEqualTo(first);
  }

  /** So many checkpoints, and so many abortions, that some meet the end of the job. */
  @Property(tries = 200)
  void abortedCheckpointsDisturbNoMemberThatHasEnded(
      @ForAll long seed, @ForAll @IntRange(min = 2, max = 4) int workers, @ForAll("ways") Way way)
      throws Exception {
    int ranks = workers + way.dedicated();
    Outcome outcome =
        run(
            seed,
            ranks,
            way,
            OptionalDouble.empty(),
            new Rates(0.2 / (ranks * ranks), 0.02, 0, 0, CUT_RATE));

    assertThat(outcome.rounds().values()).containsOnly((long) EPOCHS * ROUNDS_PER_EPOCH);
  }

  private static Outcome run(long seed, int ranks, Way way, OptionalDouble target, Rates rates)
      throws Exception {
    Outcome outcome =
        new Outcome(new TreeMap<>(), new TreeMap<>(), new TreeSet<>(), new float[LENGTH]);
    LoopSimulation simulation =
        new LoopSimulation(
            ranks,
            new SplittableRandom(seed),
            target,
            way.dedicated(),
            rates,
            (rank, port, snapshots) ->
                new SimulatedTrainer(
                    rank, ranks, way, target.isPresent(), port, snapshots, outcome));
    simulation.run(1_000_000);
    return outcome;
  }
}
