package dev.braid.exchange.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.option.UnknownWordException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChosenExchangeTest {

  @Test
  void whatIsTypedIsChosen() {
    ChosenExchange ako = ChosenExchange.of("ako:staleness=2,compress=top-k:0.01");
    ExchangeOptions options = ako.options(4, 100);
    assertThat(ako.type()).isSameAs(ExchangeType.AKO);
    assertThat(options.workers()).isEqualTo(4);
    assertThat(options.batch()).isEqualTo(100);
    assertThat(options.get(ExchangeOptions.STALENESS)).isEqualTo(2);
    assertThat(options.get(Compression.OPTION)).isEqualTo(new Compression.Largest(0.01));
    assertThat(options.chosen()).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ring",
        "ako:partitions=4,accumulation=off,staleness=2",
        "mesh:shape=torus:2x4,algorithm=nd,links=1gbit/2ms,compress=threshold:1%",
        "ft-tree:timeout=500ms",
        "coded:stragglers=1,children=2",
      })
  void itIsShownAsItIsTyped(String text) {
    assertThat(ChosenExchange.of(text)).hasToString(text);
  }

  /** Each message names the mistake. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|ring",
        "RING|RING",
        "' ring'|ring",
        "ring:|compress",
        "ring:=4|compress",
        "ring:compress|compress=CODEC",
        "ring:compress=|compress=CODEC",
        "ring:compress=bf16,|compress",
        "ring:compress=bf16,compress=bf16|compress",
        "ring:sharded=yes|sharded=yes",
        "ring:compress=gzip|compress=gzip",
        "ring:compress=dgc:1e999999999%|compress=dgc:1e999999999%",
        "ring:compress=dgc:1e-2147483647%|compress=dgc:1e-2147483647%",
        "ako:partitions=0|partitions=0",
        "ako:partitions= 4|partitions= 4",
        "ako:staleness=99999999999|staleness=99999999999",
        "ako:partitions=4,bandwidth=1gbit|without partitions",
        "ps:staleness=3|with consistency=ssp",
        "mesh:copies=0|with sharded=on",
      })
  void mistakesAreNamed(String text, String words) {
    assertThatThrownBy(() -> ChosenExchange.of(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(words);
  }

  @Test
  void unknownWordsAreToldWithThoseThatThereAre() {
    assertThatThrownBy(() -> ChosenExchange.of("ring:compress=gzip"))
        .isInstanceOfSatisfying(
            UnknownWordException.class,
            e -> {
              assertThat(e.word()).isEqualTo("gzip");
              assertThat(e.known()).isEqualTo(Compression.KNOWN);
              assertThat(e).hasMessageStartingWith("ring: compress=gzip: ");
            });
  }
}
