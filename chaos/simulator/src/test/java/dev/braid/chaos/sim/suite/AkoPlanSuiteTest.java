package dev.braid.chaos.sim.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.check.UpdateCheck;
import dev.braid.chaos.sim.condition.ComputeTime;
import dev.braid.chaos.sim.condition.SoundLinks;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.async.AkoOptions;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Share.Gradient;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.runner.ExchangeFactory;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.Provide;

/** Tests Ako with measured gradient rate and bandwidth, whose partitions change during the run. */
class AkoPlanSuiteTest extends AsynchronousExchangeSuite {

  private static final int ROUNDS = 80;
  private static final long MILLIS = 1_000_000;

  AkoPlanSuiteTest() {
    super(ExchangeType.AKO::create);
  }

  /** Scenarios that are long enough for several changes. */
  @Provide
  @Override
  Arbitrary<Scenario> scenarios() {
    return Scenario.arbitrary(6, 100, ROUNDS);
  }

  @Override
  ExchangeOptions options(Scenario scenario) {
    return ExchangeOptions.defaults(scenario.ranks())
        .with(ExchangeOptions.STALENESS, scenario.staleness());
  }

  /** During a change, values of the old ranges are older than the round. */
  @Override
  int roundsKept(Scenario scenario) {
    return ROUNDS;
  }

  @Override
  int roundsUntilDelivered(Scenario scenario) {
    return ROUNDS;
  }

  @Override
  int roundsAhead(Scenario scenario) {
    return ROUNDS;
  }

  @Override
  long valuesSentAtMost(Scenario scenario) {
    return (scenario.ranks() - 1L) * scenario.length() * scenario.rounds();
  }

  /** γ = 100/s, m = 40 kB, n = 5, B = 4 · 0.55 MB/s: p = ⌈100 · 40,000 · 4 / 2,200,000⌉ = 8. */
  @Example
  void choosesThePartitionsOfTheCostModel() {
    assertThat(lastRange(5.5e5, 0)).isEqualTo(1_250);
  }

  /** With a tenth of that bandwidth, p = 73, plus a few for headers and those within the margin. */
  @Example
  void onASlowNetwork_choosesMore() {
    assertThat(lastRange(5.5e4, 0)).isBetween(95, 137);
  }

  @Example
  void onAFastNetwork_choosesOne() {
    assertThat(lastRange(1e9, 0)).isEqualTo(10_000);
  }

  /** B is the user's, not the network's: p = 100 · 40,000 · 4 / 8,000,000 = 2. */
  @Example
  void takesTheBandwidthThatIsGiven() {
    assertThat(lastRange(1e9, 8e6)).isEqualTo(5_000);
  }

  /** A transport's own messages do not affect the measurements. */
  @Example
  void onLinksThatMayFail_choosesAlike() {
    assertThat(lastRange(ExchangeType.AKO::create, 5.5e5, 0)).isEqualTo(lastRange(5.5e5, 0));
  }

  /**
   * Returns the last length of a range. All ranks change p after every round, so for a while one
   * may have the old p and another the new one.
   */
  private static int lastRange(double bytesPerSecond, double given) {
    return lastRange(ExchangeType.AKO::create, bytesPerSecond, given);
  }

  private static int lastRange(ExchangeFactory exchange, double bytesPerSecond, double given) {
    List<Integer> lengths = new ArrayList<>();
    UpdateCheck lengthsOfRanges =
        new UpdateCheck() {
          @Override
          public void receiving(int rank, Message message) {
            if (message.body() instanceof Gradient && message.round() == 250) {
              lengths.add(message.range().length());
            }
          }
        };
    Simulation.of(exchange, 5, 10_000)
        .options(ExchangeOptions.defaults(5).with(new AkoOptions(0, true, given)))
        .rounds(300)
        .links(seed -> SoundLinks.uniform(1_000, bytesPerSecond))
        .computeTime(ComputeTime.constant(10 * MILLIS))
        .check(() -> lengthsOfRanges)
        .build()
        .run();
    assertThat(lengths).hasSize(5 * 4).allMatch(length -> Math.abs(length - lengths.get(0)) <= 1);
    return lengths.get(0);
  }
}
