package dev.braid.exchange.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.Asynchronous;
import dev.braid.exchange.Exchange;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.HostedExchange;
import dev.braid.exchange.RecordingPort;
import dev.braid.exchange.Synchronous;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What wraps an exchange loses nothing of it. */
class ReliableTest {

  /** A method that is not forwarded would be the contract's own default. */
  @Test
  void everyMethodThatAllExchangesHaveIsForwarded() {
    assertThat(notForwarded(Synchronous.class, ReliableSynchronous.class)).isEmpty();
    assertThat(notForwarded(Asynchronous.class, ReliableAsynchronous.class)).isEmpty();
  }

  private static List<String> notForwarded(Class<? extends Exchange> contract, Class<?> wrapper) {
    return Stream.of(contract.getMethods())
        .filter(method -> !Modifier.isStatic(method.getModifiers()))
        .filter(method -> !declares(wrapper, method))
        .map(Method::getName)
        .toList();
  }

  private static boolean declares(Class<?> type, Method method) {
    return Stream.of(type.getDeclaredMethods())
        .anyMatch(
            own ->
                own.getName().equals(method.getName())
                    && List.of(own.getParameterTypes())
                        .equals(List.of(method.getParameterTypes())));
  }

  @ParameterizedTest
  @MethodSource("dev.braid.exchange.registry.ExchangeType#all")
  void whatAnExchangeIsBesidesIsFoundThroughWhatWrapsIt(ExchangeType type) {
    HostedExchange bare = hosted(type, ExchangeOptions.defaults(2));
    HostedExchange wrapped = hosted(type, ExchangeOptions.defaults(2));

    assertThat(wrapped.elastic().isPresent()).isEqualTo(bare.elastic().isPresent());
    assertThat(wrapped.serving().isPresent()).isEqualTo(bare.serving().isPresent());
    assertThat(wrapped.stateful().isPresent()).isEqualTo(bare.stateful().isPresent());
    assertThat(wrapped.measured().getClass()).isEqualTo(bare.measured().getClass());
    assertThat(wrapped.replicasAgree()).isEqualTo(bare.replicasAgree());
    assertThat(wrapped.served()).isEqualTo(bare.served());
  }

  private static HostedExchange hosted(ExchangeType type, ExchangeOptions options) {
    ExchangeConfig config = new ExchangeConfig(0, 2, 10, 3, 0, options);
    return HostedExchange.of(type.create(config, new RecordingPort(new float[10])));
  }
}
