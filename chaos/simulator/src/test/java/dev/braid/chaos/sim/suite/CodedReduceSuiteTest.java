package dev.braid.chaos.sim.suite;

import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.coded.CodedOptions;
import dev.braid.exchange.registry.ExchangeType;

/** Tests the default tree if it has a repetition code, and one without stragglers if not. */
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
