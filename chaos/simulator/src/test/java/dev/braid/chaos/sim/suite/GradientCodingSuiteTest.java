package dev.braid.chaos.sim.suite;

import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.coded.CodedOptions;
import dev.braid.exchange.registry.ExchangeType;
import java.util.stream.IntStream;

/** Tests the least number of stragglers that repetition allows, up to all but one. */
class GradientCodingSuiteTest extends CodedSuite {

  GradientCodingSuiteTest() {
    super(ExchangeType.GRADIENT_CODING);
  }

  @Override
  ExchangeOptions options(int ranks) {
    int group = IntStream.rangeClosed(2, ranks).filter(it -> ranks % it == 0).findFirst().orElse(1);
    return ExchangeOptions.defaults(ranks).with(CodedOptions.STRAGGLERS, group - 1);
  }
}
