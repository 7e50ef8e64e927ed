package dev.braid.chaos.sim.suite;

import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.coded.CodedOptions;
import dev.braid.exchange.registry.ExchangeType;

/** With the default tree where it has such a code, and without stragglers where not. */
class CodedReduceSuiteTest extends CodedSuite {

  CodedReduceSuiteTest() {
    super(ExchangeType.CODED);
  }

  @Override
  ExchangeOptions options(int ranks) {
    ExchangeOptions defaults = ExchangeOptions.defaults(ranks);
    return ExchangeType.CODED.descriptor().isRepeatable(defaults)
        ? defaults
        : defaults.with(CodedOptions.STRAGGLERS, 0);
  }
}
