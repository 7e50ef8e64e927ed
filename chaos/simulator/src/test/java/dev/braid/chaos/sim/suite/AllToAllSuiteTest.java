package dev.braid.chaos.sim.suite;

import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.registry.ExchangeType;

class AllToAllSuiteTest extends AsynchronousExchangeSuite {

  AllToAllSuiteTest() {
    super(ExchangeType.ALL_TO_ALL::create);
  }

  @Override
  ExchangeOptions options(Scenario scenario) {
    return ExchangeOptions.defaults(scenario.ranks())
        .with(ExchangeOptions.STALENESS, scenario.staleness());
  }

  @Override
  int roundsUntilDelivered(Scenario scenario) {
    return 0;
  }

  @Override
  int roundsAhead(Scenario scenario) {
    return 1;
  }

  @Override
  long valuesSentAtMost(Scenario scenario) {
    return (scenario.ranks() - 1L) * scenario.length() * scenario.rounds();
  }
}
