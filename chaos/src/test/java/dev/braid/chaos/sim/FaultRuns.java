package dev.braid.chaos.sim;

import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.event.Schedule;
import dev.braid.chaos.event.Schedule.Faults;
import dev.braid.exchange.ExchangeConfig;
import java.util.List;
import java.util.SplittableRandom;

/** Runs of an exchange under random faults; all that is not given is drawn from a seed. */
final class FaultRuns {

  private static final long MICROS = 1_000;
  private static final long MILLIS = 1_000 * MICROS;
  private static final int ROUNDS = 5;

  /** About twice the links of a backup tree, by rank. */
  private static final int MAX_FAULTS_PER_RANK = 5;

  private static final int MAX_HORIZON_MILLIS = 400;

  private final ExchangeFactory exchange;

  FaultRuns(ExchangeFactory exchange) {
    this.exchange = exchange;
  }

  /** An exchange as it is made for links that may fail. */
  static ExchangeFactory reliable(ExchangeFactory exchange) {
    return (config, port) ->
        exchange.create(
            new ExchangeConfig(
                config.rank(),
                config.ranks(),
                config.length(),
                config.chunkLength(),
                config.completedRounds(),
                config.options().withFaultyLinks()),
            port);
  }

  /** A run whose sums are all checked. */
  SimulationResult run(int ranks, long seed, Faults faults) {
    return simulation(ranks, seed).faults(schedule(ranks, seed, faults)).build().run();
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
        .computeTime(ComputeTime.uniform(seed, 0, 20 * MILLIS))
        .gradients(gradients)
        .check(() -> RoundSums.exact(gradients, ranks))
        .maxEvents(20_000_000);
  }

  Simulation.Builder withReals(int ranks, long seed) {
    Simulation simulation = simulation(ranks, seed).build();
    Gradients gradients = Gradients.reals(seed, simulation.length(), (rank, round) -> 1);
    return simulation(ranks, seed)
        .gradients(gradients)
        .check(() -> RoundSums.agreeing(gradients, ranks));
  }

  /** From one fault to a few times as many as links, within a time that is short or long. */
  static List<ChaosEvent> schedule(int ranks, long seed, Faults faults) {
    if (ranks == 1) {
      return List.of();
    }
    SplittableRandom random = Seeds.of(seed, -31);
    int horizonMillis = 1 + random.nextInt(MAX_HORIZON_MILLIS);
    int expected = 1 + random.nextInt(MAX_FAULTS_PER_RANK * ranks);
    int faultMillis = 1 + horizonMillis * random.nextInt(50) / 100;
    double perSecond = 1e3 * expected / horizonMillis;
    return new Schedule(seed, ranks, perSecond, horizonMillis, faultMillis, faults).events();
  }

  private static LinkModel soundLinks(long seed) {
    return new SoundLinks(
        seed, new SoundLinks.Bounds(10 * MICROS, 2 * MILLIS, 1e6, 1e9, 100 * MICROS));
  }
}
