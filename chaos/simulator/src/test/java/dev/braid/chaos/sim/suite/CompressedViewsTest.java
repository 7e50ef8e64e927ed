package dev.braid.chaos.sim.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.fault.Effect;
import dev.braid.chaos.sim.FaultCounts.Response;
import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.SimulationResult;
import dev.braid.chaos.sim.check.CountedGradients;
import dev.braid.chaos.sim.check.UpdateCheck;
import dev.braid.chaos.sim.condition.ComputeTime;
import dev.braid.chaos.sim.random.Partings;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.vector.Range;
import dev.braid.vector.Vectors;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Tests exchanges that continue without unreachable ranks, with compressed gradients. */
class CompressedViewsTest implements Faulty {

  private static final long MILLIS = 1_000_000;

  private final FaultTally tally = new FaultTally();

  @Override
  public FaultTally tally() {
    return tally;
  }

  @Override
  public Set<Effect> effects() {
    return Set.of(Effect.ISOLATED, Effect.CUT);
  }

  @Override
  public Set<Response> responses() {
    return Set.of(Response.RETRANSMITTED, Response.LEFT_OUT, Response.REJOINED);
  }

  @Provide
  Arbitrary<ExchangeType> inViews() {
    return Arbitraries.of(ExchangeType.FT_TREE, ExchangeType.MESH);
  }

  /** Returns codecs that preserve whole numbers, since the batch is of one sample. */
  @Provide
  Arbitrary<String> exactCodecs() {
    return Arbitraries.of("threshold:64", "bitmap:64", "top-k:0.1", "int4");
  }

  @Provide
  Arbitrary<String> halves() {
    return Arbitraries.of("bf16", "fp16");
  }

  /**
   * Ranks are excluded and rejoin. Their gradients count without them, or do not count since no
   * other rank has their sum.
   */
  @UnderFaults
  @Property(tries = 60)
  void ofGradientsThatCountNothingIsLost(
      @ForAll("inViews") ExchangeType type,
      @ForAll("exactCodecs") String codec,
      @ForAll @IntRange(min = 2, max = 9) int ranks,
      @ForAll long seed) {
    Compressing exchange = new Compressing(type, codec, ranks);
    Simulation plain = inViews(exchange, ranks, seed).build();
    long[] moments = new SplittableRandom(seed).longs(3, 0, plain.run().events()).toArray();
    CountedGradients counted = new CountedGradients(plain.length());
    SimulationResult result =
        tally.add(
            inViews(exchange, ranks, seed)
                .faults(Partings.random(seed, ranks, 3_000))
                .checkpointsAfterEvents(moments)
                .check(() -> counted)
                .build()
                .run());

    float[] kept = exchange.residuals(plain.length());
    float[] expected = counted.computed(plain.gradients());
    Vectors.subtract(expected, kept, Range.ofLength(kept.length));
    assertThat(counted.sums()).containsExactly(expected);
    assertThat(result.unreleased()).as("slices not released").isZero();
    for (float[] replica : result.replicas()) {
      assertThat(replica).isEqualTo(result.replicas()[0]);
    }
  }

  /**
   * All ranks that apply a sum have the same values, even of those that are too large for 16 bits.
   */
  @UnderFaults
  @Property(tries = 40)
  void whereValuesAreRounded_replicasAreTheSame(
      @ForAll("inViews") ExchangeType type,
      @ForAll("halves") String codec,
      @ForAll @IntRange(min = 2, max = 9) int ranks,
      @ForAll long seed) {
    Simulation.Builder plain = inViews(new Compressing(type, codec, ranks), ranks, seed);
    SimulationResult result =
        tally.add(
            plain
                .gradients(Enlarged.ofWholeNumbers(plain.build().gradients()))
                .faults(Partings.random(seed, ranks, 3_000))
                .build()
                .run());
    for (float[] replica : result.replicas()) {
      assertThat(Vectors.allFinite(replica)).isTrue();
      assertThat(replica).isEqualTo(result.replicas()[0]);
    }
  }

  /**
   * With the first seed, the coordinator forms a view when both ranks have reported that they are
   * done.
   */
  @UnderFaults
  @Example
  void aViewBeginsWhenTrainingEnds() {
    for (long seed : new long[] {1_352_326_707, 1, 2, 3, 4, 5}) {
      ofGradientsThatCountNothingIsLost(ExchangeType.FT_TREE, "threshold:64", 2, seed);
    }
  }

  private static Simulation.Builder inViews(Compressing exchange, int ranks, long seed) {
    return new FaultRuns(exchange)
        .simulation(ranks, seed)
        .rounds(40)
        .computeTime(ComputeTime.uniform(seed, 0, 100 * MILLIS))
        .check(() -> UpdateCheck.NONE);
  }
}
