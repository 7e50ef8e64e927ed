package dev.braid.chaos.sim.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.event.Schedule.Faults;
import dev.braid.chaos.sim.FaultCounts.Response;
import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.SimulationResult;
import dev.braid.chaos.sim.check.UpdateCheck;
import dev.braid.chaos.sim.condition.Gradients;
import dev.braid.exchange.Exchange;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeFactory;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.HostedExchange;
import dev.braid.exchange.Port;
import dev.braid.exchange.Update;
import dev.braid.exchange.allreduce.RingDescriptor;
import dev.braid.exchange.async.AkoOptions;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.server.Consistency;
import dev.braid.exchange.server.ServerOptions;
import dev.braid.exchange.state.StateVectors;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/**
 * Exchanges whose gradients are compressed, among faults and checkpoints, after some of which all
 * ranks go on from what they have written: synchronous ones end with the same bits whatever
 * happens; and where arithmetic is exact, what has come to each replica and what is kept at all
 * ranks are together what was computed.
 */
class CompressedExchangesTest implements Faulty {

  private static final List<ExchangeType> SYNCHRONOUS =
      List.of(ExchangeType.RING, ExchangeType.TREE);

  private static final List<ExchangeType> ASYNCHRONOUS =
      List.of(ExchangeType.AKO, ExchangeType.ALL_TO_ALL, ExchangeType.SHARING);

  private static final List<String> CODECS =
      List.of("threshold", "threshold:adaptive", "bitmap:20%", "auto:30%", "top-k:0.1", "bf16");

  /** Which leave whole numbers of whole numbers, as the batch is of one sample. */
  private static final List<String> EXACT = List.of("threshold:64", "bitmap:64", "top-k:0.1");

  private final FaultTally tally = new FaultTally();

  @Override
  public FaultTally tally() {
    return tally;
  }

  @Override
  public Set<Response> responses() {
    return Set.of(Response.RETRANSMITTED);
  }

  /** Exchanges of which each element is stepped at one rank, which sends its weight. */
  private enum Served {
    RING_IN_SHARDS,
    SERVERS;

    ExchangeType type() {
      return this == RING_IN_SHARDS ? ExchangeType.RING : ExchangeType.PS;
    }

    ExchangeOptions in(ExchangeOptions options) {
      return switch (this) {
        case RING_IN_SHARDS -> options.with(RingDescriptor.SHARDED_UPDATES, true);
        case SERVERS -> options.with(new ServerOptions(0, Consistency.SYNC));
      };
    }

    /** Weights that go around a ring are not to be rounded. */
    boolean takes(String codec) {
      return this != RING_IN_SHARDS || !codec.equals("bf16");
    }
  }

  /** An exchange with a codec, whatever else its simulation chooses. */
  private record Compressing(
      ExchangeType type, UnaryOperator<ExchangeOptions> chosen, Compression codec, Exchange[] made)
      implements ExchangeFactory {

    Compressing(ExchangeType type, String codec, int ranks) {
      this(type, options -> options, Compression.of(codec), new Exchange[ranks]);
    }

    Compressing(Served served, String codec, int ranks) {
      this(served.type(), served::in, Compression.of(codec), new Exchange[ranks]);
    }

    @Override
    public Exchange create(ExchangeConfig config, Port port) {
      ExchangeConfig compressing =
          new ExchangeConfig(
              config.rank(),
              config.ranks(),
              config.length(),
              config.chunkLength(),
              config.completedRounds(),
              chosen.apply(config.options()).with(Compression.OPTION, codec));
      Exchange exchange = type.create(compressing, port);
      made[config.rank()] = exchange;
      return exchange;
    }

    /** What all ranks keep in the end. */
    float[] residuals(int length) {
      float[] sum = new float[length];
      try {
        for (Exchange exchange : made) {
          byte[] state = HostedExchange.of(exchange).writeStates().get("residual");
          float[] residual =
              StateVectors.read(new DataInputStream(new ByteArrayInputStream(state)), length);
          for (int i = 0; i < length; i++) {
            sum[i] += residual[i];
          }
        }
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
      return sum;
    }
  }

  /** The sums of all that has come to each replica, undivided. */
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

    @Override
    public void completed(int rank, long round) {}
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
  Arbitrary<String> exactCodecs() {
    return Arbitraries.of(EXACT);
  }

  @UnderFaults
  @Property(tries = 120)
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
    FaultRuns runs = new FaultRuns(new Compressing(served, codec, ranks));
    FaultRuns.faultsChangeNoBit(
        () -> runs.withReals(ranks, seed).rounds(8).check(() -> UpdateCheck.NONE), tally);
  }

  /** Also where ranks are cut off, and get what they have missed when they are back. */
  @UnderFaults
  @Property(tries = 100)
  void asynchronous_nothingIsLostAndNothingAddedTwice(
      @ForAll("asynchronous") ExchangeType type,
      @ForAll("exactCodecs") String codec,
      @ForAll @IntRange(min = 1, max = 3) int doublings,
      @ForAll long seed) {
    int ranks = 1 << doublings;
    Compressing exchange = new Compressing(type, codec, ranks);
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
   * With checkpoints as well.
   *
   * @param plain the same without either
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

  /** A hundredth of the elements: what goes is a small part of what would go. */
  @Property(tries = 10)
  void sendsFewBytes(@ForAll("synchronous") ExchangeType type, @ForAll long seed) {
    long plain = bytes(type, "none", seed);
    long compressed = bytes(type, "threshold:1%", seed);
    assertThat(compressed).isLessThan(plain / 12);
    assertThat(bytes(type, "bf16", seed)).isBetween(plain / 2, plain * 6 / 10);
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
