package dev.braid.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ExchangeTypeTest {

  @ParameterizedTest
  @EnumSource
  void knowsWhetherItsExchangesAreSynchronous(ExchangeType type) {
    Exchange made = type.create(new ExchangeConfig(0, 2, 10, 3, 0), new RecordingPort());
    assertThat(made.isSynchronous()).isEqualTo(type.isSynchronous());
    assertThat(ExchangeType.named(type.title())).hasValue(type);
  }
}
