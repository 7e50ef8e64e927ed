package dev.braid.exchange.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.averaging.AveragingDescriptor;
import dev.braid.exchange.averaging.AveragingDescriptor.Outer;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.server.Consistency;
import dev.braid.exchange.server.ServerOptions;
import java.util.List;
import org.junit.jupiter.api.Test;

class StateFormatTest {

  private static final ExchangeOptions OPTIONS = ExchangeOptions.defaults(4);

  @Test
  void noTwoExchangesReadEachOthersState() {
    assertThat(ExchangeType.all().stream().map(type -> type.stateFormat(OPTIONS)))
        .doesNotHaveDuplicates();
  }

  /** Workers that average after different numbers of batches would wait for each other forever. */
  @Test
  void anotherIntervalIsAnotherExchange() {
    assertThat(
            ExchangeType.AVERAGING
                .stateFormat(OPTIONS.with(AveragingDescriptor.INTERVAL, 3))
                .exchange())
        .isEqualTo("averaging every 3 batches");
    assertThat(averaging(3).isOfSameExchange(averaging(5))).isFalse();
    assertThat(averaging(3).isOfSameExchange(averaging(3))).isTrue();
  }

  /** Nor would workers that average other parts, or apply an average at another time. */
  @Test
  void otherFragmentsOrAnotherOuterStepAreAnotherExchange() {
    List<ExchangeOptions> all =
        List.of(
            OPTIONS,
            OPTIONS.with(AveragingDescriptor.FRAGMENTS, 2),
            OPTIONS.with(AveragingDescriptor.OVERLAP, 2),
            OPTIONS.with(AveragingDescriptor.OUTER, Outer.NESTEROV),
            OPTIONS
                .with(AveragingDescriptor.OUTER, Outer.NESTEROV)
                .with(AveragingDescriptor.OUTER_RATE, 1.0));
    assertThat(all.stream().map(options -> ExchangeType.AVERAGING.stateFormat(options).exchange()))
        .doesNotHaveDuplicates();
  }

  @Test
  void anotherConsistencyIsAnotherExchange_butOtherServersAreNot() {
    assertThat(servers(0, Consistency.SSP).isOfSameExchange(servers(0, Consistency.SYNC)))
        .isFalse();
    assertThat(servers(0, Consistency.SSP)).isEqualTo(servers(2, Consistency.SSP));
  }

  private static StateFormat averaging(int interval) {
    return ExchangeType.AVERAGING.stateFormat(OPTIONS.with(AveragingDescriptor.INTERVAL, interval));
  }

  private static StateFormat servers(int dedicated, Consistency consistency) {
    return ExchangeType.PS.stateFormat(OPTIONS.with(new ServerOptions(dedicated, consistency)));
  }
}
