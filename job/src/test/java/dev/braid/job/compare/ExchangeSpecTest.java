package dev.braid.job.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.exchange.registry.ChosenExchange;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.job.console.UsageException;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExchangeSpecTest {

  @Test
  void everyExchangeCanBeComparedByItsName() {
    String all =
        ExchangeType.all().stream().map(ExchangeType::title).collect(Collectors.joining(","));
    assertThat(ExchangeSpec.list(all))
        .extracting(spec -> spec.exchange().type())
        .isEqualTo(ExchangeType.all());
  }

  /** A part with an equals sign before any colon belongs to the exchange before it. */
  @Test
  void optionsBelongToTheExchangeBeforeThem() {
    assertThat(
            ExchangeSpec.list(
                "ps:consistency=ssp,servers=2,staleness=3, tree,ring:compress=top-k:0.01,"
                    + "mesh:algorithm=nd,compress=threshold:0.1%,shape=torus:2x4,gossip"))
        .extracting(ExchangeSpec::text)
        .containsExactly(
            "ps:consistency=ssp,servers=2,staleness=3",
            "tree",
            "ring:compress=top-k:0.01",
            "mesh:algorithm=nd,compress=threshold:0.1%,shape=torus:2x4",
            "gossip");
  }

  @Test
  void theSameInAnotherOrderIsTheSame() {
    assertThatThrownBy(
            () -> ExchangeSpec.list("ako:partitions=4,staleness=2,ako:staleness=2,partitions=4"))
        .isInstanceOf(UsageException.class);
  }

  @Test
  void foldersHaveNoSigns() {
    assertThat(ExchangeSpec.list("ps:consistency=async,servers=2"))
        .extracting(ExchangeSpec::folder)
        .containsExactly("ps-consistency-async-servers-2");
  }

  /** The recorded options include defaults for four workers. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ako:accumulation=on,bandwidth=100.0mbit,staleness=4,compress=top-k:0.01 | ako:bandwidth=100mbit,compress=top-k:0.01",
        "ps:consistency=async,servers=2,compress=none | ps:consistency=async,servers=2",
        "ring:compress=none,sharded=off | ring",
        "sharing:mode=auto,staleness=0,compress=none | sharing:compress=none",
        "of-others:x=1 | of-others:x=1"
      })
  void aRunIsNamedAsItWouldBeTyped(String recorded, String shown) {
    assertThat(
            ExchangeSpec.textOf(
                Histories.head("{\"workers\":4,\"exchange\":\"%s\"}".formatted(recorded))))
        .isEqualTo(shown);
  }

  @Test
  void aRunWithoutAnExchangeIsUnknown() {
    assertThat(ExchangeSpec.textOf(Histories.head("{}"))).isEqualTo("unknown");
  }

  /** A run records its exchange in a form that can be typed again. */
  @Test
  void everyDefaultCanBeTyped() {
    for (ExchangeType type : ExchangeType.all()) {
      ChosenExchange all = ChosenExchange.of(type, ChosenExchange.of(type.title()).options(4, 1));
      assertThat(ChosenExchange.of(all.toString())).isEqualTo(all);
      assertThat(all.withoutDefaults(4)).hasToString(type.title());
    }
  }
}
