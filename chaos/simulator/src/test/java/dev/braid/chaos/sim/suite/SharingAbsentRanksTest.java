package dev.braid.chaos.sim.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.fault.Effect;
import dev.braid.chaos.sim.FaultCounts.Response;
import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.SimulationResult;
import dev.braid.chaos.sim.check.RelayedUpdates;
import dev.braid.chaos.sim.check.UpdateCheck;
import dev.braid.chaos.sim.condition.ComputeTime;
import dev.braid.chaos.sim.condition.Gradients;
import dev.braid.chaos.sim.condition.Seeds;
import dev.braid.chaos.sim.condition.SoundLinks;
import dev.braid.chaos.sim.random.Partings;
import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.participation.View;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.runner.ExchangeFactory;
import dev.braid.exchange.sharing.SharingDescriptor;
import dev.braid.exchange.sharing.SharingMode;
import dev.braid.vector.Range;
import dev.braid.vector.Vectors;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/**
 * Tests gradient sharing while ranks are unreachable, masters and relays among them. The others
 * continue, a rank that rejoins continues with a copy of the master's model, and each gradient is
 * in each model once.
 */
class SharingAbsentRanksTest implements Faulty {

  private static final long MILLIS = 1_000_000;
  private static final int ROUNDS = 120;
  private static final int FEW_ROUNDS = 60;
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

  /** A run with its check, which counts the copied models. */
  private record Run(SimulationResult result, RelayedUpdates check) {}

  private static Simulation.Builder builder(
      SharingMode mode, int ranks, long seed, RelayedUpdates check) {
    return builder(ExchangeType.SHARING::create, ranks, length(seed), seed)
        .options(
            ExchangeOptions.defaults(ranks)
                .with(ExchangeOptions.STALENESS, 2)
                .with(SharingDescriptor.MODE, mode)
                .with(Compression.OPTION, Compression.NONE))
        .rounds(ROUNDS)
        .check(() -> check);
  }

  private static Simulation.Builder builder(
      ExchangeFactory exchange, int ranks, int length, long seed) {
    return Simulation.of(exchange, ranks, length)
        .chunkLength(1 + Seeds.of(seed, -51).nextInt(length))
        .seed(seed)
        .links(linkSeed -> new SoundLinks(linkSeed, Partings.LINKS))
        .computeTime(ComputeTime.uniform(seed, 0, 100 * MILLIS))
        .gradients(Gradients.wholeNumbers(seed, length, Gradients.Samples.upTo(seed, 9)))
        .check(() -> UpdateCheck.NONE)
        .maxEvents(20_000_000);
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
    assertComplete(result, check);
    checkModels(result, ranks, seed);
    return new Run(result, check);
  }

  /**
   * Checks that all ranks are at the end; those that were behind when the last view began, by a
   * copy.
   */
  private static void assertComplete(SimulationResult result, RelayedUpdates check) {
    assertThat(result.rounds()).isEqualTo(ROUNDS);
    assertThat(result.unreleased()).as("slices not released").isZero();
    int behind =
        result.views().stream()
            .reduce((before, next) -> next)
            .map(last -> last.size() - last.current().size())
            .orElse(0);
    assertThat(check.copies()).as("copies").isGreaterThanOrEqualTo(behind);
  }

  /**
   * Checks the models. A step is the n-th part of a gradient, which is exact if n is a power of
   * two.
   */
  private static void checkModels(SimulationResult result, int ranks, long seed) {
    if (Integer.bitCount(ranks) != 1) {
      return;
    }
    float[] expected = computed(ranks, seed, ROUNDS);
    for (int i = 0; i < expected.length; i++) {
      expected[i] = 0 - expected[i] / ranks;
    }
    for (float[] replica : result.replicas()) {
      assertThat(replica).containsExactly(expected);
    }
  }

  /** Returns the sum of the gradients of all ranks. */
  private static float[] computed(int ranks, long seed, int rounds) {
    int length = length(seed);
    Gradients gradients = Gradients.wholeNumbers(seed, length, Gradients.Samples.upTo(seed, 9));
    float[] sum = new float[length];
    for (int rank = 0; rank < ranks; rank++) {
      for (int round = 0; round < rounds; round++) {
        Contribution one = gradients.of(rank, round);
        if (one.samples() > 0) {
          Vectors.add(sum, one.gradient(), Range.ofLength(length));
        }
      }
    }
    return sum;
  }

  @UnderFaults
  @Property(tries = 25)
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

  /** The failures hit, in trees of several levels, the master, relays, and both. */
  @UnderFaults
  @Example
  void mastersAndRelaysFail() {
    for (int ranks : new int[] {12, 16}) {
      assertCopied(1, 0, ranks, Partings.isolate(0, BEGIN_MILLIS, END_MILLIS));
      assertCopied(2, 1, ranks, Partings.isolate(1, BEGIN_MILLIS, END_MILLIS));
      Run both =
          assertCopied(
              3,
              0,
              ranks,
              List.of(
                  Partings.isolate(0, BEGIN_MILLIS, END_MILLIS).get(0),
                  Partings.isolate(1, BEGIN_MILLIS + 500, END_MILLIS + 800).get(0)));
      assertThat(both.result().views()).anyMatch(view -> !view.contains(0) && !view.contains(1));
      assertThat(both.check().copies()).isGreaterThanOrEqualTo(2);
    }
  }

  private Run assertCopied(long seed, int rank, int ranks, List<ChaosEvent> faults) {
    Run run = run(SharingMode.MESH, ranks, seed, faults);
    assertThat(run.result().views())
        .anyMatch(view -> !view.contains(rank))
        .anyMatch(view -> view.contains(rank) && !view.current().contains(rank));
    assertThat(run.check().copies()).isPositive();
    return run;
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
    RelayedUpdates check = check(ranks, seed);
    SimulationResult result =
        tally.add(
            builder(mode(isMesh), ranks, seed, check)
                .faults(Partings.random(seed, ranks, 5_000))
                .checkpointEveryNanos(Seeds.of(seed, -52).nextInt(300, 1_500) * MILLIS)
                .build()
                .run());
    assertThat(result.pauses() + result.declined()).isGreaterThan(1);
    assertComplete(result, check);
    checkModels(result, ranks, seed);
  }

  // ---- compressed ------------------------------------------------------------------------------

  /** Returns codecs that preserve whole numbers, since the batch is of one sample. */
  @Provide
  Arbitrary<String> exactCodecs() {
    return Arbitraries.of("threshold:64", "auto:64", "top-k:0.1", "int4");
  }

  /** All sent values are in each model once, and an excluded rank has kept its residual. */
  @UnderFaults
  @Property(tries = 20)
  void ofCompressedGradientsNothingIsLost(
      @ForAll("exactCodecs") String codec,
      @ForAll boolean isMesh,
      @ForAll @IntRange(min = 1, max = 3) int doublings,
      @ForAll long seed) {
    int ranks = 1 << doublings;
    Compressing exchange = compressing(codec, isMesh, ranks);
    SimulationResult result = compressed(exchange, ranks, seed);

    float[] expected = computed(ranks, seed, FEW_ROUNDS);
    Vectors.subtract(
        expected, exchange.residuals(expected.length), Range.ofLength(expected.length));
    for (int i = 0; i < expected.length; i++) {
      expected[i] = 0 - expected[i] / ranks;
    }
    for (float[] replica : result.replicas()) {
      assertThat(replica).containsExactly(expected);
    }
  }

  /** The residual is clipped, so the result is not predictable, but it is the same at all ranks. */
  @UnderFaults
  @Property(tries = 30)
  void withAnAdaptiveThresholdAllHaveTheSame(
      @ForAll boolean isMesh, @ForAll @IntRange(min = 2, max = 9) int ranks, @ForAll long seed) {
    SimulationResult result = compressed(compressing("auto:adaptive", isMesh, ranks), ranks, seed);
    float[] first = result.replicas()[0];
    for (float[] replica : result.replicas()) {
      assertThat(replica).containsExactly(first, within(1e-3f));
    }
    assertThat(Vectors.norm(first, Range.ofLength(first.length))).isPositive();
  }

  private static Compressing compressing(String codec, boolean isMesh, int ranks) {
    return new Compressing(
        ExchangeType.SHARING, it -> it.with(SharingDescriptor.MODE, mode(isMesh)), codec, ranks);
  }

  private SimulationResult compressed(Compressing exchange, int ranks, long seed) {
    SimulationResult result =
        tally.add(
            builder(exchange, ranks, length(seed), seed)
                .options(ExchangeOptions.defaults(ranks).with(ExchangeOptions.STALENESS, 2))
                .rounds(FEW_ROUNDS)
                .faults(Partings.random(seed, ranks, 3_000))
                .checkpointEveryNanos(700 * MILLIS)
                .build()
                .run());
    assertThat(result.unreleased()).as("slices not released").isZero();
    return result;
  }

  /**
   * On these lines a copy takes longer than views last, since another rank is repeatedly
   * unreachable. The copy resumes where it stopped, so the rank that waits for it does not wait
   * forever.
   */
  @UnderFaults
  @Example
  void aCopyComesToItsEnd_thoughViewsChangeSooner() {
    int ranks = 4;
    int length = 30_000;
    List<ChaosEvent> faults = new ArrayList<>(Partings.isolate(1, BEGIN_MILLIS, 5_000));
    for (int begin = 5_500; begin < 20_000; begin += 2_500) {
      faults.addAll(Partings.isolate(3, begin, begin + 1_800));
    }
    SimulationResult result =
        tally.add(
            builder(compressing("top-k:0.001", false, ranks), ranks, length, 1)
                .options(ExchangeOptions.defaults(ranks).with(ExchangeOptions.STALENESS, 2))
                .chunkLength(50)
                .links(linkSeed -> SoundLinks.uniform(MILLIS, 50_000))
                .rounds(FEW_ROUNDS)
                .faults(faults)
                .build()
                .run());
    List<View> views = result.views();
    int back =
        IntStream.range(0, views.size()).filter(i -> !views.get(i).contains(1)).max().orElseThrow();
    List<View> later = views.subList(back + 1, views.size());
    assertThat(later)
        .as("views without the other")
        .filteredOn(view -> !view.contains(3))
        .hasSizeGreaterThan(2);
    assertThat(later).anyMatch(view -> !view.contains(3) && view.current().contains(1));
  }
}
