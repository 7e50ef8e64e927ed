package dev.braid.chaos.sim.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.sim.SimulationResult;
import dev.braid.chaos.sim.check.RelayedUpdates;
import dev.braid.chaos.sim.check.UpdateCheck;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.sharing.SharingDescriptor;
import dev.braid.exchange.sharing.SharingMode;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Tests gradient sharing in one of its modes, with uncompressed gradients. */
abstract class SharingSuite extends AsynchronousExchangeSuite {

  private final SharingMode mode;

  SharingSuite(SharingMode mode) {
    super(ExchangeType.SHARING::create);
    this.mode = mode;
  }

  /** Returns shorter scenarios than other suites, since relaying takes many events. */
  @Override
  @Provide
  Arbitrary<Scenario> scenarios() {
    return Scenario.arbitrary(16, 150, 10);
  }

  @Override
  ExchangeOptions options(Scenario scenario) {
    return ExchangeOptions.defaults(scenario.ranks())
        .with(ExchangeOptions.STALENESS, scenario.staleness())
        .with(SharingDescriptor.MODE, mode)
        .with(Compression.OPTION, Compression.NONE);
  }

  /**
   * Returns a check that each gradient is applied once when all ranks are quiet; its path may have
   * any number of hops.
   */
  @Override
  UpdateCheck check(Scenario scenario) {
    return new RelayedUpdates(scenario.ranks(), scenario.length(), mostAhead(scenario));
  }

  @Override
  int roundsUntilDelivered(Scenario scenario) {
    return 0;
  }

  @Override
  int roundsAhead(Scenario scenario) {
    return 1;
  }

  /**
   * Returns the maximum: a master sends the gradients of all ranks to all others, and once more
   * whatever a slow link seems to have lost.
   */
  @Override
  long valuesSentAtMost(Scenario scenario) {
    long others = scenario.ranks() - 1L;
    return 2 * others * others * scenario.length() * scenario.rounds();
  }

  /**
   * Links are so fast that no rank looks for other routes. Among so many ranks, that would take
   * millions of events; it is tested with fewer.
   */
  @Override
  @Example
  void manyRanks() {
    for (int ranks : Scenario.MANY_RANKS) {
      everyGradientReachesEveryReplicaOnce(new Scenario(ranks, 5, 5, 2, 128));
    }
  }

  /**
   * There are more rounds than in other suites, since few links are used and faults must hit some.
   */
  @Override
  @UnderFaults
  @Example
  void manyRanks_linksThatFail_loseNothing() {
    linksThatFail_loseNothing(new Scenario(65, 5, 5, 12, 42));
  }

  /** Each update passes each link of a tree once. */
  @Property(tries = 10)
  void allTogetherSendNoMoreThanIfEachSentToAll(@ForAll("scenarios") Scenario scenario) {
    SimulationResult result = simulation(scenario).build().run();
    long values = 0;
    for (int rank = 0; rank < scenario.ranks(); rank++) {
      values += result.traffic().valuesSentBy(rank);
    }
    long others = scenario.ranks() - 1L;
    long once = scenario.ranks() * others * scenario.length() * scenario.rounds();
    assertThat(values).isLessThanOrEqualTo(once + once / 4);
  }
}
