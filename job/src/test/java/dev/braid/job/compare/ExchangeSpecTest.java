package dev.braid.job.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.registry.ExchangeType;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ExchangeSpecTest {

  @Test
  void everyExchangeCanBeComparedByItsName() {
    String all =
        ExchangeType.all().stream().map(ExchangeType::title).collect(Collectors.joining(","));
    assertThat(ExchangeSpec.list(all))
        .extracting(ExchangeSpec::options)
        .allSatisfy(options -> assertThat(options).containsOnlyKeys("--exchange"))
        .hasSameSizeAs(ExchangeType.all());
  }

  @Test
  void argumentsAreOptionsOfTrain() {
    List<ExchangeSpec> specs =
        ExchangeSpec.list(
            "ps:ssp:2:staleness=3,ako:accumulation=off:p=4, averaging:7,ft-tree:500ms,all-to-all:staleness=2");
    assertThat(specs)
        .extracting(ExchangeSpec::options)
        .containsExactly(
            Map.of(
                "--exchange", "ps", "--consistency", "ssp", "--servers", "2", "--staleness", "3"),
            Map.of("--exchange", "ako", "--ako-accumulation", "off", "--ako-partitions", "4"),
            Map.of("--exchange", "averaging", "--averaging-interval", "7"),
            Map.of("--exchange", "ft-tree", "--link-timeout", "500ms"),
            Map.of("--exchange", "all-to-all", "--staleness", "2"));
    assertThat(specs)
        .extracting(ExchangeSpec::folder)
        .containsExactly(
            "ps-ssp-2-staleness-3",
            "ako-accumulation-off-p-4",
            "averaging-7",
            "ft-tree-500ms",
            "all-to-all-staleness-2");
  }

  /** By its options in a history, of which some are the defaults. */
  @Test
  void aRunIsNamedAsItWouldBeTyped() {
    assertThat(
            ExchangeSpec.textOf(
                Histories.head(
                    "{\"exchange\":\"ako\",\"ako-accumulation\":\"on\",\"bandwidth\":\"100.0mbit\",\"staleness\":4,\"compress\":\"top-k:0.01\",\"epochs\":3}")))
        .isEqualTo("ako:bandwidth=100.0mbit:compress=top-k=0.01");
    assertThat(
            ExchangeSpec.textOf(
                Histories.head("{\"exchange\":\"ps\",\"consistency\":\"async\",\"servers\":2}")))
        .isIn("ps:async:2", "ps:2:async");
    assertThat(ExchangeSpec.textOf(Histories.head("{\"exchange\":\"of-others\"}")))
        .isEqualTo("of-others");
    assertThat(ExchangeSpec.textOf(Histories.head("{}"))).isEqualTo("unknown");
  }

  @Test
  void aPlaceMayBeLeftOut_whereItsValueTells() {
    assertThat(ExchangeSpec.list("ps:2").get(0).options())
        .isEqualTo(Map.of("--exchange", "ps", "--servers", "2"));
    assertThat(ExchangeSpec.list("ps:ssp").get(0).options())
        .isEqualTo(Map.of("--exchange", "ps", "--consistency", "ssp"));
    assertThat(ExchangeSpec.list("mesh:2x4:row-pairs").get(0).options())
        .isEqualTo(Map.of("--exchange", "mesh", "--mesh", "2x4", "--mesh-algorithm", "row-pairs"));
    assertThat(ExchangeSpec.list("mesh:mesh=torus=2x4:nd").get(0).options())
        .isEqualTo(Map.of("--exchange", "mesh", "--mesh", "torus=2x4", "--mesh-algorithm", "nd"));
    assertThat(ExchangeSpec.list("mesh:2d").get(0).options())
        .isEqualTo(Map.of("--exchange", "mesh", "--mesh-algorithm", "2d"));
  }

  @Test
  void codecsHaveAnEqualsSign_whereACommandHasAColon() {
    assertThat(ExchangeSpec.list("ring:compress=threshold=0.1%").get(0).options())
        .isEqualTo(Map.of("--exchange", "ring", "--compress", "threshold=0.1%"));
  }

  @Test
  void aPlaceCanBeNamed() {
    assertThat(ExchangeSpec.list("averaging:interval=7").get(0).options())
        .isEqualTo(ExchangeSpec.list("averaging:7").get(0).options());
  }
}
