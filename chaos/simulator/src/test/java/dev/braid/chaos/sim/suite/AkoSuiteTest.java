package dev.braid.chaos.sim.suite;

import dev.braid.chaos.sim.condition.Seeds;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.async.AkoOptions;
import dev.braid.exchange.registry.ExchangeType;

/** Tests Ako with every number of partitions, from one to more than there are peers. */
class AkoSuiteTest extends AsynchronousExchangeSuite {

  private static final long PARTITIONS = -20;

  AkoSuiteTest() {
    super(ExchangeType.AKO::create);
  }

  private static int partitions(Scenario scenario) {
    return 1 + Seeds.of(scenario.seed(), PARTITIONS).nextInt(scenario.ranks() + 2);
  }

  @Override
  ExchangeOptions options(Scenario scenario) {
    return ExchangeOptions.defaults(scenario.ranks())
        .with(ExchangeOptions.STALENESS, scenario.staleness())
        .with(new AkoOptions(partitions(scenario), true, 0));
  }

  /** Returns p − 1, since a range is sent every p rounds. */
  @Override
  int roundsUntilDelivered(Scenario scenario) {
    return partitions(scenario) - 1;
  }

  @Override
  int roundsAhead(Scenario scenario) {
    return partitions(scenario);
  }

  /**
   * Returns the number of values of the rounds' ranges, with the longest range each time, and of
   * the whole vector for each flush.
   */
  @Override
  long valuesSentAtMost(Scenario scenario) {
    int p = partitions(scenario);
    long longest = (scenario.length() + p - 1L) / p;
    return (scenario.ranks() - 1L) * (scenario.rounds() * longest + scenario.length());
  }
}
