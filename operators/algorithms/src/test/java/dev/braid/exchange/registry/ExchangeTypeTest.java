package dev.braid.exchange.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.RecordingPort;
import dev.braid.exchange.runner.ExchangeRunner;
import dev.braid.exchange.server.Consistency;
import dev.braid.exchange.server.ServerOptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class ExchangeTypeTest {

  @ParameterizedTest
  @MethodSource("dev.braid.exchange.registry.ExchangeType#all")
  void knowsWhetherItsExchangesAreSynchronous(ExchangeType type) {
    checkSynchronous(type, ExchangeOptions.defaults(2));
    assertThat(ExchangeType.named(type.title())).hasValue(type);
  }

  @ParameterizedTest
  @EnumSource
  void parameterServersAreAsConsistentAsIsAskedFor(Consistency consistency) {
    ServerOptions servers = new ServerOptions(1, consistency);
    checkSynchronous(ExchangeType.PS, ExchangeOptions.defaults(2).with(servers));
  }

  private static void checkSynchronous(ExchangeType type, ExchangeOptions options) {
    ExchangeConfig config = new ExchangeConfig(0, 2, 10, 3, 0, options);
    ExchangeRunner made = type.create(config, new RecordingPort());
    assertThat(made.isSynchronous()).isEqualTo(type.isSynchronous(options));
  }
}
