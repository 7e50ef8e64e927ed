package dev.braid.chaos.sim.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.braid.chaos.event.Schedule.Faults;
import dev.braid.chaos.sim.FaultCounts.Response;
import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.SimulationResult;
import dev.braid.chaos.sim.check.CountedGradients;
import dev.braid.chaos.sim.check.UpdateCheck;
import dev.braid.chaos.sim.condition.CodedGradients;
import dev.braid.chaos.sim.condition.Gradients;
import dev.braid.coding.CodeTree;
import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Update;
import dev.braid.exchange.async.AkoOptions;
import dev.braid.exchange.averaging.AveragingDescriptor;
import dev.braid.exchange.fttree.FaultTolerantTreeDescriptor;
import dev.braid.exchange.option.LinkTimeout;
import dev.braid.exchange.option.ShardedUpdates;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.server.Consistency;
import dev.braid.exchange.server.ServerOptions;
import dev.braid.vector.Range;
import dev.braid.vector.Vectors;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/**
 * Tests exchanges with compressed gradients, among faults and checkpoints, after some of which all
 * ranks resume from their saved state. Synchronous exchanges always end with the same bits. Where
 * arithmetic is exact, the values that have reached each replica and the residuals of all ranks add
 * up to all gradients that count.
 */
class CompressedExchangesTest implements Faulty {

  /** Exchanges that wait for all ranks, whatever happens to links. */
  private static final List<ExchangeType> SYNCHRONOUS =
      List.of(ExchangeType.RING, ExchangeType.TREE, ExchangeType.UNCODED);

  private static final List<ExchangeType> ASYNCHRONOUS =
      List.of(ExchangeType.AKO, ExchangeType.ALL_TO_ALL, ExchangeType.PS, ExchangeType.SHARING);

  private static final List<String> CODECS =
      List.of(
          "threshold",
          "threshold:adaptive",
          "threshold:warm",
          "bitmap:20%",
          "auto:30%",
          "top-k:0.1",
          "int4",
          "dgc:2%",
          "bf16",
          "fp16");

  /** Codecs that round each element separately. */
  private static final List<String> HALVES = List.of("bf16", "fp16");

  /** Codecs that preserve whole numbers, since the batch is of one sample. */
  private static final List<String> EXACT =
      List.of("threshold:64", "bitmap:64", "top-k:0.1", "int4");

  private final FaultTally tally = new FaultTally();

  @Override
  public FaultTally tally() {
    return tally;
  }

  @Override
  public Set<Response> responses() {
    return Set.of(Response.RETRANSMITTED);
  }

  /** Exchanges in which one rank steps each element and sends its weight. */
  private enum Served {
    RING_IN_SHARDS,
    SERVERS;

    ExchangeType type() {
      return this == RING_IN_SHARDS ? ExchangeType.RING : ExchangeType.PS;
    }

    ExchangeOptions in(ExchangeOptions options) {
      return switch (this) {
        case RING_IN_SHARDS -> options.with(ShardedUpdates.OPTION, true);
        case SERVERS -> options.with(new ServerOptions(0, Consistency.SYNC));
      };
    }

    /** Returns whether it supports a codec: weights that go around a ring must not be rounded. */
    boolean takes(String codec) {
      return this != RING_IN_SHARDS || !HALVES.contains(codec);
    }
  }

  /** Sums of all values that have reached each replica, not divided into means. */
  private static final class Arrived implements UpdateCheck {
    final float[][] sums;

    Arrived(int ranks, int length) {
      sums = new float[ranks][length];
    }

    @Override
    public void updated(int rank, long round, Update update) {
      Update.GradientSum step = (Update.GradientSum) update;
      for (int i = 0; i < step.range().length(); i++) {
        sums[rank][step.range().start() + i] += step.values().array()[step.values().offset() + i];
      }
    }
  }

  @Provide
  Arbitrary<ExchangeType> synchronous() {
    return Arbitraries.of(SYNCHRONOUS);
  }

  @Provide
  Arbitrary<ExchangeType> asynchronous() {
    return Arbitraries.of(ASYNCHRONOUS);
  }

  @Provide
  Arbitrary<String> codecs() {
    return Arbitraries.of(CODECS);
  }

  @Provide
  Arbitrary<String> halves() {
    return Arbitraries.of(HALVES);
  }

  @Provide
  Arbitrary<String> exactCodecs() {
    return Arbitraries.of(EXACT);
  }

  @UnderFaults
  @Property(tries = 80)
  void faultsAndCheckpointsChangeNoBit(
      @ForAll("synchronous") ExchangeType type,
      @ForAll("codecs") String codec,
      @ForAll @IntRange(min = 2, max = 16) int ranks,
      @ForAll long seed) {
    FaultRuns runs = new FaultRuns(new Compressing(type, codec, ranks));
    FaultRuns.faultsChangeNoBit(
        () -> runs.withReals(ranks, seed).rounds(8).check(() -> UpdateCheck.NONE), tally);
  }

  @UnderFaults
  @Property(tries = 60)
  void synchronous_nothingIsLostAndNothingAddedTwice(
      @ForAll("synchronous") ExchangeType type,
      @ForAll("exactCodecs") String codec,
      @ForAll @IntRange(min = 2, max = 16) int ranks,
      @ForAll long seed) {
    Compressing exchange = new Compressing(type, codec, ranks);
    Simulation plain = simulation(exchange, type, ranks, seed).build();
    Arrived arrived = new Arrived(ranks, plain.length());
    amongFaults(simulation(exchange, type, ranks, seed).check(() -> arrived), plain);

    float[] expected = computedAndNotKept(plain, exchange);
    for (float[] sum : arrived.sums) {
      assertThat(sum).containsExactly(expected);
    }
  }

  @UnderFaults
  @Property(tries = 80)
  void whereRanksServe_faultsAndCheckpointsChangeNoBit(
      @ForAll Served served,
      @ForAll("codecs") String codec,
      @ForAll @IntRange(min = 2, max = 12) int ranks,
      @ForAll long seed) {
    Assume.that(served.takes(codec));
    FaultRuns runs = new FaultRuns(new Compressing(served.type(), served::in, codec, ranks));
    FaultRuns.faultsChangeNoBit(
        () -> runs.withReals(ranks, seed).rounds(8).check(() -> UpdateCheck.NONE), tally);
  }

  /** The tree of an exchange with views differs between sets of members; its sums do not. */
  @UnderFaults
  @Property(tries = 50)
  void inViews_faultsThatLeaveAPathChangeNoBit(
      @ForAll boolean isStatic,
      @ForAll("codecs") String codec,
      @ForAll @IntRange(min = 2, max = 16) int ranks,
      @ForAll long seed) {
    UnaryOperator<ExchangeOptions> chosen =
        isStatic
            ? it -> it.with(FaultTolerantTreeDescriptor.LINK_TIMEOUT, LinkTimeout.of("100ms"))
            : it -> it;
    FaultRuns runs = new FaultRuns(new Compressing(ExchangeType.FT_TREE, chosen, codec, ranks));
    FaultRuns.changeNoBit(
        Faults.PATH_LEFT,
        () -> runs.withReals(ranks, seed).rounds(8).check(() -> UpdateCheck.NONE),
        tally);
  }

  /** A gradient that comes too late is dropped, and the earlier residual stays. */
  @Property(tries = 60)
  void whereStragglersAreDropped_ofGradientsThatCountNothingIsLost(
      @ForAll("exactCodecs") String codec,
      @ForAll @IntRange(min = 2, max = 9) int ranks,
      @ForAll long seed) {
    Compressing exchange = new Compressing(ExchangeType.DROP_STRAGGLERS, codec, ranks);
    Simulation simulation = dropping(exchange, ranks, seed, () -> UpdateCheck.NONE);
    long[] moments = new SplittableRandom(seed).longs(2, 0, simulation.run().events()).toArray();
    CountedGradients counted = new CountedGradients(simulation.length());
    new FaultRuns(exchange)
        .simulation(ranks, seed)
        .rounds(12)
        .check(() -> counted)
        .checkpointsAfterEvents(moments)
        .build()
        .run();

    assertThat(counted.count()).isEqualTo(12 * (ranks - 1));
    float[] expected = counted.computed(simulation.gradients());
    Vectors.subtract(
        expected, exchange.residuals(expected.length), Range.ofLength(expected.length));
    assertThat(counted.sums()).containsExactly(expected);
  }

  private static Simulation dropping(
      Compressing exchange, int ranks, long seed, Supplier<UpdateCheck> check) {
    return new FaultRuns(exchange).simulation(ranks, seed).rounds(12).check(check).build();
  }

  /**
   * Messages with values that are too large for 16 bits are sent as float32. The values thus stay
   * exact, and the division of a sum into messages makes no difference.
   */
  @UnderFaults
  @Property(tries = 40)
  void beyondTheRange_faultsAndCheckpointsChangeNoBit(
      @ForAll("synchronous") ExchangeType type,
      @ForAll @IntRange(min = 2, max = 12) int ranks,
      @ForAll long seed) {
    FaultRuns runs = new FaultRuns(new Compressing(type, "fp16", ranks));
    Supplier<Simulation.Builder> enlarged =
        () -> {
          Simulation.Builder builder = runs.withReals(ranks, seed);
          return builder
              .rounds(8)
              .gradients(Enlarged.ofReals(builder.build().gradients()))
              .check(() -> UpdateCheck.NONE);
        };
    for (float[] replica : enlarged.get().build().run().replicas()) {
      assertThat(Vectors.allFinite(replica)).isTrue();
    }
    FaultRuns.faultsChangeNoBit(enlarged, tally);
  }

  /** Twins answer with the same bits: it makes no difference which of them is late. */
  @UnderFaults
  @Property(tries = 40)
  void codedInHalfBits_faultsAndCheckpointsChangeNoBit(
      @ForAll("halves") String codec,
      @ForAll @IntRange(min = 1, max = 4) int pairs,
      @ForAll long seed) {
    int ranks = 2 * pairs;
    Compressing exchange = new Compressing(ExchangeType.GRADIENT_CODING, codec, ranks);
    FaultRuns runs = new FaultRuns(exchange);
    CodeTree codes =
        ExchangeType.GRADIENT_CODING
            .descriptor()
            .codes(ExchangeOptions.defaults(ranks), ranks)
            .orElseThrow();
    FaultRuns.faultsChangeNoBit(
        () -> {
          Simulation.Builder builder = runs.withReals(ranks, seed);
          return builder
              .rounds(8)
              .gradients(CodedGradients.of(builder.build().gradients(), codes))
              .check(() -> UpdateCheck.NONE);
        },
        tally);
  }

  /** Moves that are not sent are sent with later ones. */
  @UnderFaults
  @Property(tries = 60)
  void averaging_nothingIsLost(
      @ForAll("exactCodecs") String codec,
      @ForAll @IntRange(min = 1, max = 3) int doublings,
      @ForAll @IntRange(min = 1, max = 3) int fragments,
      @ForAll @IntRange(min = 0, max = 1) int overlap,
      @ForAll long seed) {
    int ranks = 1 << doublings;
    Compressing exchange = averaging(fragments, overlap, codec, ranks);
    Simulation plain = simulation(exchange, ExchangeType.AVERAGING, ranks, seed).build();
    SimulationResult result =
        amongFaults(simulation(exchange, ExchangeType.AVERAGING, ranks, seed), plain);

    float[] moved = moved(plain);
    float[] kept = exchange.residuals(moved.length);
    float[] expected = new float[moved.length];
    for (int i = 0; i < expected.length; i++) {
      expected[i] = (moved[i] - kept[i]) / ranks;
    }
    for (float[] replica : result.replicas()) {
      assertThat(replica).containsExactly(expected);
    }
  }

  @UnderFaults
  @Property(tries = 30)
  void averaging_faultsAndCheckpointsChangeNoBit(
      @ForAll("codecs") String codec,
      @ForAll @IntRange(min = 2, max = 9) int ranks,
      @ForAll @IntRange(min = 1, max = 3) int fragments,
      @ForAll @IntRange(min = 0, max = 1) int overlap,
      @ForAll long seed) {
    FaultRuns runs = new FaultRuns(averaging(fragments, overlap, codec, ranks));
    FaultRuns.faultsChangeNoBit(
        () -> runs.withReals(ranks, seed).rounds(8).check(() -> UpdateCheck.NONE), tally);
  }

  /** Returns the moves of all ranks together, each along the means of its own gradients. */
  private static float[] moved(Simulation simulation) {
    float[] sum = new float[simulation.length()];
    for (int rank = 0; rank < simulation.ranks(); rank++) {
      for (int round = 0; round < simulation.rounds(); round++) {
        Contribution local = simulation.gradients().of(rank, round);
        for (int i = 0; local.samples() > 0 && i < sum.length; i++) {
          sum[i] -= local.gradient()[i] / local.samples();
        }
      }
    }
    return sum;
  }

  private static Compressing averaging(int fragments, int overlap, String codec, int ranks) {
    return new Compressing(
        ExchangeType.AVERAGING,
        it ->
            it.with(AveragingDescriptor.INTERVAL, 3)
                .with(AveragingDescriptor.FRAGMENTS, fragments)
                .with(AveragingDescriptor.OVERLAP, overlap),
        codec,
        ranks);
  }

  /** This includes ranks that are unreachable, and get the missed values when they rejoin. */
  @UnderFaults
  @Property(tries = 100)
  void asynchronous_nothingIsLostAndNothingAddedTwice(
      @ForAll("asynchronous") ExchangeType type,
      @ForAll("exactCodecs") String codec,
      @ForAll @IntRange(min = 1, max = 3) int doublings,
      @ForAll long seed) {
    int ranks = 1 << doublings;
    Compressing exchange =
        type == ExchangeType.PS
            ? new Compressing(
                type, it -> it.with(new ServerOptions(0, Consistency.ASYNC)), codec, ranks)
            : new Compressing(type, codec, ranks);
    Simulation plain = simulation(exchange, type, ranks, seed).build();
    SimulationResult result = amongFaults(simulation(exchange, type, ranks, seed), plain);

    // A step is the n-th part of a gradient, which is exact for these n.
    float[] expected = computedAndNotKept(plain, exchange);
    for (int i = 0; i < expected.length; i++) {
      expected[i] = 0 - expected[i] / ranks;
    }
    for (float[] replica : result.replicas()) {
      assertThat(replica).containsExactly(expected);
    }
  }

  /**
   * A rank's messages depend only on its own gradients, their momentum and its residual. Therefore
   * all ranks end with the same model as in a run without faults and checkpoints.
   */
  @UnderFaults
  @Property(tries = 40)
  void sharingWithMomentum_nothingIsLostAndNothingAddedTwice(
      @ForAll @IntRange(min = 2, max = 9) int ranks, @ForAll long seed) {
    Compressing exchange = new Compressing(ExchangeType.SHARING, "dgc:2%", ranks);
    Simulation plain = simulation(exchange, ExchangeType.SHARING, ranks, seed).build();
    float[] expected = plain.run().replicas()[0];
    SimulationResult result =
        amongFaults(simulation(exchange, ExchangeType.SHARING, ranks, seed), plain);
    for (float[] replica : result.replicas()) {
      // One element that is lost, or added twice, would differ by tens of times that.
      assertThat(replica).containsExactly(expected, within(1f));
    }
  }

  /**
   * Runs a simulation with faults and checkpoints.
   *
   * @param plain the same simulation without either
   */
  private SimulationResult amongFaults(Simulation.Builder builder, Simulation plain) {
    long events = plain.run().events();
    long[] moments = new SplittableRandom(plain.seed()).longs(2, 0, events).toArray();
    SimulationResult result =
        tally.add(
            FaultRuns.under(Faults.ANY, builder).checkpointsAfterEvents(moments).build().run());
    assertThat(result.pauses() + result.declined()).isPositive();
    assertThat(result.unreleased()).as("slices not released").isZero();
    return result;
  }

  private static float[] computedAndNotKept(Simulation simulation, Compressing exchange) {
    float[] sum = computed(simulation);
    float[] kept = exchange.residuals(sum.length);
    for (int i = 0; i < sum.length; i++) {
      sum[i] -= kept[i];
    }
    return sum;
  }

  private static Simulation.Builder simulation(
      Compressing exchange, ExchangeType type, int ranks, long seed) {
    Simulation.Builder builder =
        new FaultRuns(exchange)
            .simulation(ranks, seed)
            .rounds(8)
            .computeTime(FaultRuns.briefGradients(seed))
            .check(() -> UpdateCheck.NONE);
    return type == ExchangeType.AKO
        ? builder.options(
            ExchangeOptions.defaults(ranks).with(new AkoOptions(1 + ranks / 2, true, 0)))
        : builder;
  }

  private static float[] computed(Simulation simulation) {
    Gradients gradients = simulation.gradients();
    float[] sum = new float[simulation.length()];
    for (int rank = 0; rank < simulation.ranks(); rank++) {
      for (int round = 0; round < simulation.rounds(); round++) {
        float[] gradient = gradients.of(rank, round).gradient();
        for (int i = 0; i < sum.length; i++) {
          sum[i] += gradient[i];
        }
      }
    }
    return sum;
  }

  /** A hundredth of the elements is sent: a small part of the plain bytes. */
  @Property(tries = 10)
  void sendsFewBytes(@ForAll("synchronous") ExchangeType type, @ForAll long seed) {
    long plain = bytes(type, "none", seed);
    long compressed = bytes(type, "threshold:1%", seed);
    assertThat(compressed).isLessThan(plain / 12);
    for (String halves : HALVES) {
      assertThat(bytes(type, halves, seed)).isBetween(plain / 2, plain * 6 / 10);
    }
  }

  private static long bytes(ExchangeType type, String codec, long seed) {
    int length = 40_000;
    return Simulation.of(new Compressing(type, codec, 4), 4, length)
        .chunkLength(2_000)
        .rounds(3)
        .gradients(Gradients.reals(seed, length, (rank, round) -> 1))
        .build()
        .run()
        .traffic()
        .bytes();
  }
}
