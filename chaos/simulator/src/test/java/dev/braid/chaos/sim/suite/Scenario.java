package dev.braid.chaos.sim.suite;

import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.check.ExactRoundSums;
import dev.braid.chaos.sim.check.UpdateCheck;
import dev.braid.chaos.sim.condition.ComputeTime;
import dev.braid.chaos.sim.condition.Gradients;
import dev.braid.chaos.sim.condition.Seeds;
import dev.braid.chaos.sim.condition.SoundLinks;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.runner.ExchangeFactory;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.RandomDistribution;

/** One case of the shared suite. All that is not a component is drawn from the seed. */
record Scenario(int ranks, int length, int chunkLength, int rounds, long seed) {

  /** Maximum number of ranks in most cases; a few have {@link #MANY_RANKS}. */
  private static final int MAX_RANKS = 64;

  /** More ranks than a word has bits and, with all tries, than a signed byte can count. */
  static final List<Integer> MANY_RANKS =
      ShareOfTries.percent() < 100 ? List.of(65) : List.of(65, 100, 128);

  private static final int MAX_LENGTH = 3_000;

  /** Limit that keeps a case with many ranks from having so many chunks that it takes seconds. */
  private static final int MAX_CHUNKS_TIMES_RANKS = 4_096;

  /** Uniform distribution: the default prefers small numbers, which the edge cases have anyway. */
  private static final RandomDistribution EVEN = RandomDistribution.uniform();

  private static final long MICROS = 1_000;
  private static final long MILLIS = 1_000 * MICROS;

  /** Purposes of the draws from the seed. */
  private static final long SAMPLES = -10;

  private static final long LINKS = -11;
  private static final long COMPUTE = -12;
  private static final long STALENESS = -13;

  static Arbitrary<Scenario> arbitrary() {
    return arbitrary(MAX_RANKS, MAX_LENGTH, 4);
  }

  static Arbitrary<Scenario> arbitrary(int maxRanks, int maxLength, int maxRounds) {
    Arbitrary<Integer> ranks = Arbitraries.integers().between(1, maxRanks).withDistribution(EVEN);
    Arbitrary<Integer> lengths =
        Arbitraries.integers().between(1, maxLength).withDistribution(EVEN);
    return Combinators.combine(ranks, lengths)
        .flatAs(
            (n, length) -> {
              int shortest = Math.max(1, (int) ((long) length * n / MAX_CHUNKS_TIMES_RANKS));
              return Combinators.combine(
                      Arbitraries.integers().between(shortest, length),
                      Arbitraries.integers().between(1, maxRounds),
                      Arbitraries.longs())
                  .as((chunk, rounds, seed) -> new Scenario(n, length, chunk, rounds, seed));
            });
  }

  /** Returns a few cases of many ranks, with this many rounds. */
  static Stream<Scenario> ofManyRanks(int rounds) {
    return MANY_RANKS.stream().map(ranks -> new Scenario(ranks, 2 * ranks + 1, 7, rounds, ranks));
  }

  /** Returns a simulation of this scenario whose links and compute times have another seed. */
  Simulation.Builder simulation(ExchangeFactory exchange, long timingSeed) {
    return Simulation.of(exchange, ranks, length)
        .chunkLength(chunkLength)
        .rounds(rounds)
        .seed(timingSeed)
        .links(linkSeed -> new SoundLinks(linkSeed, links(timingSeed)))
        .computeTime(computeTime(timingSeed))
        .gradients(wholeNumbers())
        .check(() -> ExactRoundSums.exact(wholeNumbers(), ranks));
  }

  Simulation.Builder simulation(ExchangeFactory exchange) {
    return simulation(exchange, seed);
  }

  /**
   * Returns a simulation of this scenario with other options, and with a check for asynchronous
   * exchanges.
   */
  Simulation.Builder asynchronous(
      ExchangeFactory exchange, ExchangeOptions options, Supplier<UpdateCheck> check) {
    return simulation(exchange).options(options).check(check);
  }

  /** Returns the staleness bound, from 0 to more than the number of rounds. */
  int staleness() {
    return Seeds.of(seed, STALENESS).nextInt(rounds + 2);
  }

  Gradients wholeNumbers() {
    return Gradients.wholeNumbers(seed, length, samples());
  }

  Gradients reals() {
    return Gradients.reals(seed, length, samples());
  }

  /**
   * Returns numbers of samples: from one for every rank to rounds in which few ranks, or none, have
   * any.
   */
  private Gradients.Samples samples() {
    return switch (Seeds.of(seed, SAMPLES).nextInt(3)) {
      case 0 -> (rank, round) -> 1;
      case 1 -> Gradients.Samples.upTo(seed, 3);
      default -> {
        Gradients.Samples some = Gradients.Samples.upTo(seed, 2L * ranks);
        yield (rank, round) -> Math.max(0, some.of(rank, round) - 2L * ranks + 2);
      }
    };
  }

  /**
   * Returns bounds of links, from fast links that are all alike to links that are limited only by
   * latency or only by bandwidth.
   */
  private static SoundLinks.Bounds links(long timingSeed) {
    SplittableRandom random = Seeds.of(timingSeed, LINKS);
    return switch (random.nextInt(4)) {
      case 0 -> new SoundLinks.Bounds(0, 0, 1e12, 1e12, 0);
      case 1 -> new SoundLinks.Bounds(MICROS, 50 * MILLIS, 1e9, 1e9, 0);
      case 2 -> new SoundLinks.Bounds(MICROS, MICROS, 1e4, 1e8, 0);
      default -> new SoundLinks.Bounds(0, MILLIS, 1e6, 1e9, 5 * MILLIS);
    };
  }

  private static ComputeTime computeTime(long timingSeed) {
    SplittableRandom random = Seeds.of(timingSeed, COMPUTE);
    return switch (random.nextInt(4)) {
      case 0 -> ComputeTime.constant(MILLIS);
      case 1 -> ComputeTime.uniform(timingSeed, 0, 20 * MILLIS);
      case 2 -> ComputeTime.uniform(timingSeed, 0, 20 * MILLIS).withOutliers(timingSeed, 0.1, 500);
      default -> ComputeTime.shiftedExponential(timingSeed, 100, 10 * MICROS, 1e-5);
    };
  }
}
