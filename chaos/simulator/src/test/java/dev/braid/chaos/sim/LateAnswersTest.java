package dev.braid.chaos.sim;

import static dev.braid.chaos.sim.random.Partings.isolate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.shape.LinkShape;
import dev.braid.chaos.sim.check.UpdateCheck;
import dev.braid.chaos.sim.condition.ComputeTime;
import dev.braid.chaos.sim.condition.LinkModel;
import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Port;
import dev.braid.exchange.async.AkoOptions;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.runner.ExchangeFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Four workers behind lines of 100 Mbit/s whose messages are answered late, as if threads waited
 * for a processor. {@code ako}, which measures the bandwidth of its line, uses it nevertheless.
 *
 * <p>An element stands for ten of the default model's parameters, and has all their bytes.
 */
class LateAnswersTest {

  private static final long MILLIS = 1_000_000;
  private static final int WORKERS = 4;
  private static final int LENGTH = 40_705;
  private static final int CHUNK = 1_600;
  private static final int SCALE = 10;
  private static final double BYTES_PER_SECOND = 12.5e6;
  private static final int ROUNDS = 600;

  @ParameterizedTest
  @CsvSource({"2, 0.95", "10, 0.95", "30, 0.95", "60, 0.95", "80, 0.9", "120, 0.85", "200, 0.75"})
  void akoFillsItsLine(long answerMillis, double atLeast) {
    SimulationResult result = simulation(ExchangeType.AKO::create, answerMillis).build().run();
    double use = result.traffic().bytesSentBy(1) / (result.endNanos() / 1e9) / BYTES_PER_SECOND;
    assertThat(use).isBetween(atLeast, 1.0);
  }

  /** Measures rank 0's longest time without a gradient. */
  @Test
  void aRankThatIsCutOff_isNoticedAsSoonAsOnAQuickNetwork() {
    assertThat(longestGapMillis(60)).isBetween(1_000L, longestGapMillis(2) + 100);
  }

  private static long longestGapMillis(long answerMillis) {
    List<Long> contributed = new ArrayList<>();
    Port[] clock = {null};
    UpdateCheck watcher =
        new UpdateCheck() {
          @Override
          public void contributing(int rank, Contribution contribution) {
            if (rank == 0) {
              contributed.add(clock[0].nowNanos());
            }
          }
        };
    ExchangeFactory watched =
        (config, port) -> {
          clock[0] = port;
          return ExchangeType.AKO.create(config, port);
        };
    simulation(watched, answerMillis)
        .faults(isolate(3, 3_000, 60_000))
        .check(() -> watcher)
        .build()
        .run();
    long longest = 0;
    for (int i = 1; i < contributed.size(); i++) {
      longest = Math.max(longest, contributed.get(i) - contributed.get(i - 1));
    }
    return longest / MILLIS;
  }

  private static Simulation.Builder simulation(ExchangeFactory exchange, long answerMillis) {
    ExchangeOptions options =
        ExchangeOptions.defaults(WORKERS).with(new AkoOptions(0, true, BYTES_PER_SECOND / SCALE));
    return Simulation.of(exchange, WORKERS, LENGTH)
        .options(options)
        .chunkLength(CHUNK)
        .bytesPerElement(SCALE * Float.BYTES)
        .rounds(ROUNDS)
        .links(seed -> LinkModel.INSTANT)
        .shape(new LinkShape(BYTES_PER_SECOND, answerMillis * MILLIS / 2))
        .computeTime(ComputeTime.constant(10 * MILLIS));
  }
}
