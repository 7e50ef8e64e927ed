package dev.braid.chaos.sim.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.fault.Effect;
import dev.braid.chaos.sim.FaultCounts.Response;
import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.SimulationResult;
import dev.braid.chaos.sim.check.RelayedUpdates;
import dev.braid.chaos.sim.condition.ComputeTime;
import dev.braid.chaos.sim.condition.Gradients;
import dev.braid.chaos.sim.condition.Seeds;
import dev.braid.chaos.sim.condition.SoundLinks;
import dev.braid.chaos.sim.random.Partings;
import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.sharing.SharingDescriptor;
import dev.braid.exchange.sharing.SharingMode;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/**
 * Gradient sharing while ranks are cut off altogether, masters and relays among them: the others go
 * on, whoever is back goes on with a copy of the master's model, and each gradient is in each model
 * once.
 */
class SharingAbsentRanksTest implements Faulty {

  private static final long MILLIS = 1_000_000;
  private static final int ROUNDS = 120;
  private static final int BEGIN_MILLIS = 1_000;
  private static final int END_MILLIS = 6_000;

  private final FaultTally tally = new FaultTally();

  @Override
  public FaultTally tally() {
    return tally;
  }

  @Override
  public Set<Effect> effects() {
    return Set.of();
  }

  @Override
  public Set<Response> responses() {
    return Set.of(Response.RETRANSMITTED, Response.LEFT_OUT, Response.REJOINED);
  }

  /** A run, and how many models were copied in it. */
  private record Run(SimulationResult result, RelayedUpdates check) {}

  private static Simulation.Builder builder(
      SharingMode mode, int ranks, long seed, RelayedUpdates check) {
    int length = length(seed);
    return Simulation.of(ExchangeType.SHARING::create, ranks, length)
        .options(
            ExchangeOptions.defaults(ranks)
                .with(ExchangeOptions.STALENESS, 2)
                .with(SharingDescriptor.MODE, mode)
                .with(Compression.OPTION, Compression.NONE))
        .chunkLength(1 + Seeds.of(seed, -51).nextInt(length))
        .rounds(ROUNDS)
        .seed(seed)
        .links(linkSeed -> new SoundLinks(linkSeed, Partings.LINKS))
        .computeTime(ComputeTime.uniform(seed, 0, 100 * MILLIS))
        .gradients(gradients(seed))
        .check(() -> check)
        .maxEvents(20_000_000);
  }

  private static Gradients gradients(long seed) {
    return Gradients.wholeNumbers(seed, length(seed), Gradients.Samples.upTo(seed, 9));
  }

  private static int length(long seed) {
    return 1 + Seeds.of(seed, -50).nextInt(24);
  }

  private static RelayedUpdates check(int ranks, long seed) {
    return new RelayedUpdates(ranks, length(seed), ROUNDS);
  }

  private Run run(SharingMode mode, int ranks, long seed, List<ChaosEvent> faults) {
    RelayedUpdates check = check(ranks, seed);
    SimulationResult result =
        tally.add(builder(mode, ranks, seed, check).faults(faults).build().run());
    assertThat(result.rounds()).isEqualTo(ROUNDS);
    assertThat(result.unreleased()).as("slices not released").isZero();
    checkModels(result, ranks, seed);
    return new Run(result, check);
  }

  /** A step is the n-th part of a gradient, which is exact where n is a power of two. */
  private static void checkModels(SimulationResult result, int ranks, long seed) {
    if (Integer.bitCount(ranks) != 1) {
      return;
    }
    float[] expected = new float[length(seed)];
    for (int rank = 0; rank < ranks; rank++) {
      for (int round = 0; round < ROUNDS; round++) {
        Contribution computed = gradients(seed).of(rank, round);
        for (int i = 0; i < expected.length; i++) {
          expected[i] -= computed.samples() == 0 ? 0 : computed.gradient()[i] / ranks;
        }
      }
    }
    for (float[] replica : result.replicas()) {
      assertThat(replica).containsExactly(expected);
    }
  }

  @UnderFaults
  @Property(tries = 40)
  void whoeverIsIsolated_isBackWithACopy(
      @ForAll boolean isMesh, @ForAll @IntRange(min = 2, max = 16) int ranks, @ForAll long seed) {
    int rank = new SplittableRandom(seed).nextInt(ranks);
    Run run = run(mode(isMesh), ranks, seed, Partings.isolate(rank, BEGIN_MILLIS, END_MILLIS));

    assertThat(run.result().views()).anyMatch(view -> view.size() == ranks - 1);
    assertThat(run.check().copies()).isPositive();
  }

  private static SharingMode mode(boolean isMesh) {
    return isMesh ? SharingMode.MESH : SharingMode.PLAIN;
  }

  /** Trees of several levels: the master, relays, and both. */
  @UnderFaults
  @Example
  void mastersAndRelaysFail() {
    for (int ranks : new int[] {12, 16}) {
      run(SharingMode.MESH, ranks, 1, Partings.isolate(0, BEGIN_MILLIS, END_MILLIS));
      run(SharingMode.MESH, ranks, 2, Partings.isolate(1, BEGIN_MILLIS, END_MILLIS));
      run(
          SharingMode.MESH,
          ranks,
          3,
          List.of(
              Partings.isolate(0, BEGIN_MILLIS, END_MILLIS).get(0),
              Partings.isolate(1, BEGIN_MILLIS + 500, END_MILLIS + 800).get(0)));
    }
  }

  @UnderFaults
  @Property(tries = 60)
  void anySchedule(
      @ForAll boolean isMesh, @ForAll @IntRange(min = 2, max = 12) int ranks, @ForAll long seed) {
    run(mode(isMesh), ranks, seed, Partings.random(seed, ranks, 5_000));
  }

  @UnderFaults
  @Property(tries = 40)
  void anySchedule_withCheckpoints(
      @ForAll boolean isMesh, @ForAll @IntRange(min = 2, max = 12) int ranks, @ForAll long seed) {
    List<ChaosEvent> faults = Partings.random(seed, ranks, 5_000);
    SharingMode mode = mode(isMesh);
    long events =
        builder(mode, ranks, seed, check(ranks, seed)).faults(faults).build().run().events();
    long[] moments = new SplittableRandom(seed).longs(4, 0, events).toArray();
    SimulationResult result =
        tally.add(
            builder(mode, ranks, seed, check(ranks, seed))
                .faults(faults)
                .checkpointsAfterEvents(moments)
                .build()
                .run());
    assertThat(result.pauses() + result.declined()).isPositive();
    assertThat(result.rounds()).isEqualTo(ROUNDS);
    checkModels(result, ranks, seed);
  }
}
