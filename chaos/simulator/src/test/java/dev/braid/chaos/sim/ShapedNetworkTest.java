package dev.braid.chaos.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.braid.chaos.shape.LinkShape;
import dev.braid.chaos.sim.condition.ComputeTime;
import dev.braid.chaos.sim.condition.LinkModel;
import dev.braid.exchange.registry.ExchangeType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests ranks behind lines of a given bandwidth and latency. */
class ShapedNetworkTest {

  private static final int LENGTH = 80_000;
  private static final int CHUNK = 1_000;
  private static final double BYTES_PER_SECOND = 1e6;
  private static final long MILLIS = 1_000_000;

  /**
   * A rank that sends to seven others at once has its bandwidth for all together, and uses all of
   * it.
   */
  @Test
  void aRankSendsWhatItsLineBears() {
    SimulationResult result =
        run(ExchangeType.ALL_TO_ALL, 8, new LinkShape(BYTES_PER_SECOND, MILLIS), 10);
    double seconds = result.endNanos() / 1e9;
    for (int rank = 0; rank < 8; rank++) {
      assertThat(result.traffic().bytesSentBy(rank) / seconds / BYTES_PER_SECOND)
          .isCloseTo(1, within(0.03));
    }
  }

  /** All parts of a ring's round are in flight at once: 2(n − 1)/n of the vector. */
  @Test
  void aRingTakesTheTimeOfItsBytes() {
    SimulationResult result = run(ExchangeType.RING, 8, new LinkShape(BYTES_PER_SECOND, 0), 5);
    double roundSeconds = result.roundNanos(4) / 1e9;
    assertThat(roundSeconds).isCloseTo(2 * 7 / 8.0 * LENGTH * 4 / 1e6, within(0.05));
  }

  /** Chunks are so long that a whole round is within a window. */
  @Test
  void everyHopTakesTheLatency() {
    LinkShape shape = new LinkShape(Double.POSITIVE_INFINITY, 7 * MILLIS);
    SimulationResult result =
        simulation(ExchangeType.RING, 4, shape, 3).chunkLength(LENGTH).build().run();
    assertThat(result.roundNanos(2)).isEqualTo(6 * 7 * MILLIS);
  }

  @ParameterizedTest
  @MethodSource("dev.braid.exchange.registry.ExchangeType#all")
  void everyExchangeFindsItsWay(ExchangeType exchange) {
    LinkShape shape = new LinkShape(BYTES_PER_SECOND, MILLIS);
    assertThat(run(exchange, 5, shape, 4).unreleased()).isZero();
  }

  /** A checkpoint begins as soon as the previous one is over, which is sooner than a hop takes. */
  @ParameterizedTest
  @MethodSource("dev.braid.exchange.registry.ExchangeType#all")
  void everyExchangeComesToItsEnd_whereCheckpointsComeSoonerThanRounds(ExchangeType exchange) {
    LinkShape shape = new LinkShape(Double.POSITIVE_INFINITY, 20 * MILLIS);
    SimulationResult result =
        simulation(exchange, 4, shape, 12)
            .checkpointEveryNanos(MILLIS)
            .maxEvents(200_000)
            .build()
            .run();
    assertThat(result.pauses()).isGreaterThan(4);
  }

  private static SimulationResult run(
      ExchangeType exchange, int ranks, LinkShape shape, int rounds) {
    return simulation(exchange, ranks, shape, rounds).build().run();
  }

  private static Simulation.Builder simulation(
      ExchangeType exchange, int ranks, LinkShape shape, int rounds) {
    return Simulation.of(exchange::create, ranks, LENGTH)
        .chunkLength(CHUNK)
        .rounds(rounds)
        .links(seed -> LinkModel.INSTANT)
        .shape(shape)
        .computeTime(ComputeTime.constant(0));
  }
}
