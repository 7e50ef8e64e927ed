package dev.braid.chaos.sim.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.event.Schedule.Faults;
import dev.braid.chaos.sim.Disturbances;
import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.SimulationResult;
import dev.braid.chaos.sim.check.ExactRoundSums;
import dev.braid.chaos.sim.condition.ComputeTime;
import dev.braid.chaos.sim.condition.Gradients;
import dev.braid.chaos.sim.condition.LinkModel;
import dev.braid.chaos.sim.condition.Seeds;
import dev.braid.chaos.sim.condition.SoundLinks;
import dev.braid.chaos.sim.random.FaultSchedules;
import dev.braid.exchange.runner.ExchangeFactory;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** Runs of an exchange under random faults; all that is not given is drawn from a seed. */
final class FaultRuns {

  private static final long MICROS = 1_000;
  private static final long MILLIS = 1_000 * MICROS;
  private static final int ROUNDS = 5;

  private final ExchangeFactory exchange;

  FaultRuns(ExchangeFactory exchange) {
    this.exchange = exchange;
  }

  /** Executes a run whose sums are all checked. */
  SimulationResult run(int ranks, long seed, Faults faults) {
    return under(faults, simulation(ranks, seed)).build().run();
  }

  /**
   * Returns short compute times, for runs, and thus faults, of less than about a second. After a
   * longer time, the others continue without unreachable ranks; the values that these miss wait for
   * them, with an unlimited delay.
   */
  static ComputeTime briefGradients(long seed) {
    return ComputeTime.uniform(seed, 0, 20 * MILLIS);
  }

  /** Adds faults that all begin while the simulation runs. */
  static Simulation.Builder under(Faults faults, Simulation.Builder simulation) {
    return simulation.faults(FaultSchedules.of(simulation.build(), faults));
  }

  /**
   * Adds three checkpoints to a run, some of which are aborted, and two crashes of all ranks in its
   * first half.
   *
   * @param events number of events of the run without them
   */
  static Simulation.Builder crashing(Simulation.Builder run, long events, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return run.checkpointsAfterEvents(random.longs(3, 0, events).toArray())
        .disturbances(Disturbances.USUAL.with(Disturbances.Rate.ABORTS, 0.3))
        .crashesAfterEvents(random.longs(2, 0, events / 2).toArray());
  }

  /** Checks that faults change no bit of a run, nor do checkpoints among them. */
  static void faultsChangeNoBit(Supplier<Simulation.Builder> run, FaultTally tally) {
    changeNoBit(Faults.ANY, run, tally);
  }

  /** Checks that these faults change no bit of a run, nor do checkpoints among them. */
  static void changeNoBit(Faults faults, Supplier<Simulation.Builder> run, FaultTally tally) {
    SimulationResult sound = run.get().build().run();
    SimulationResult faulty = tally.add(under(faults, run.get()).build().run());
    SimulationResult saved =
        under(faults, run.get())
            .checkpointsAfterEvents(faulty.events() / 3, faulty.events() / 2)
            .build()
            .run();
    assertThat(faulty.replicas()).isDeepEqualTo(sound.replicas());
    assertThat(saved.replicas()).isDeepEqualTo(sound.replicas());
    assertThat(saved.pauses()).isPositive();
  }

  Simulation.Builder simulation(int ranks, long seed) {
    SplittableRandom random = Seeds.of(seed, -30);
    int length = 1 + random.nextInt(200);
    Gradients gradients = Gradients.wholeNumbers(seed, length, Gradients.Samples.upTo(seed, 2));
    return Simulation.of(exchange, ranks, length)
        .chunkLength(1 + random.nextInt(1 + random.nextInt(length)))
        .rounds(ROUNDS)
        .seed(seed)
        .links(FaultRuns::soundLinks)
        .computeTime(ComputeTime.uniform(seed, 0, 20 * MILLIS).withOutliers(seed, 0.05, 200))
        .gradients(gradients)
        .check(() -> ExactRoundSums.exact(gradients, ranks))
        .maxEvents(20_000_000);
  }

  Simulation.Builder withReals(int ranks, long seed) {
    Simulation simulation = simulation(ranks, seed).build();
    Gradients gradients = Gradients.reals(seed, simulation.length(), (rank, round) -> 1);
    return simulation(ranks, seed)
        .gradients(gradients)
        .check(() -> ExactRoundSums.agreeing(gradients, ranks));
  }

  private static LinkModel soundLinks(long seed) {
    return new SoundLinks(
        seed, new SoundLinks.Bounds(10 * MICROS, 2 * MILLIS, 1e6, 1e9, 100 * MICROS));
  }
}
