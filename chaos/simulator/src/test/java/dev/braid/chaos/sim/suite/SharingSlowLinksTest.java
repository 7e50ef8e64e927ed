package dev.braid.chaos.sim.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.SimulationResult;
import dev.braid.chaos.sim.check.UpdateCheck;
import dev.braid.chaos.sim.condition.ComputeTime;
import dev.braid.chaos.sim.condition.Gradients;
import dev.braid.chaos.sim.condition.SoundLinks;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.sharing.SharingDescriptor;
import dev.braid.exchange.sharing.SharingMode;
import net.jqwik.api.Example;

/** Tests gradient sharing on links whose answers come late. */
class SharingSlowLinksTest {

  private static final long MILLIS = 1_000_000;
  private static final int ROUNDS = 15;
  private static final int CHUNK = 100;
  private static final long LATENCY_NANOS = 10 * MILLIS;

  /**
   * Returns the latencies that a round takes, with updates of twelve messages: chunks are eight
   * times as long if most values are 0.
   */
  private static long latenciesPerRound(int ranks, String codec) {
    Compressing exchange =
        new Compressing(
            ExchangeType.SHARING,
            it -> it.with(SharingDescriptor.MODE, SharingMode.PLAIN),
            codec,
            ranks);
    int length = 12 * CHUNK * (codec.equals("none") ? 1 : 8);
    SimulationResult result =
        Simulation.of(exchange, ranks, length)
            .chunkLength(CHUNK)
            .rounds(ROUNDS)
            .seed(1)
            .links(seed -> SoundLinks.uniform(LATENCY_NANOS, 1e9))
            .computeTime(ComputeTime.constant(5 * MILLIS))
            .gradients(Gradients.wholeNumbers(1, length, (rank, round) -> 1))
            .check(() -> UpdateCheck.NONE)
            .build()
            .run();
    return result.endNanos() / ROUNDS / LATENCY_NANOS;
  }

  /**
   * A round takes a few times the latency to the master and back, not one for each message of a
   * link.
   */
  @Example
  void roundsTakeAFewLatencies_howeverManyMessagesUpdatesHave() {
    assertThat(latenciesPerRound(4, "none")).isLessThan(8);
    assertThat(latenciesPerRound(16, "top-k:0.01")).isLessThan(20);
  }
}
