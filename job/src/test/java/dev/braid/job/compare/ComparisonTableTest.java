package dev.braid.job.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.report.RunHistory;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ComparisonTableTest {

  private static final String TO_97 = "{\"target-accuracy\":0.97}";
  private static final String TO_99 = "{\"target-accuracy\":0.99}";

  @Test
  void figuresAreMeansOverAllGradients() {
    Figures figures = Figures.of(Histories.of(TO_97));
    assertThat(figures.secondsToTarget()).hasValue(6);
    assertThat(figures.bestAccuracy()).isEqualTo(0.97);
    assertThat(figures.accuracyVariancePp2()).hasValue(0.01);
    assertThat(figures.samplesPerSecond()).isEqualTo(50);
    assertThat(figures.bytesPerWorker()).isEqualTo(2000);
    assertThat(figures.staleness()).isEqualTo(1.5);
    assertThat(figures.worstStaleness()).isEqualTo(7);
    assertThat(figures.computing()).isEqualTo(0.375);
    assertThat(figures.waiting()).isEqualTo(0.375);
    assertThat(figures.exchanging()).isEqualTo(0.25);
    assertThat(figures.partitions()).isEqualTo(3);
    assertThat(figures.sentOfPlanned()).hasValue(0.4);
    assertThat(Figures.of(Histories.of(TO_99)).secondsToTarget()).isEmpty();
  }

  @Test
  void aRowHasAllFiguresOrWhyThereAreNone() {
    List<String> lines =
        new ComparisonTable(
                List.of(Histories.run("ako", TO_97), Histories.failed("ring", "loss is NaN")))
            .lines();
    assertThat(lines).hasSize(5);
    assertThat(lines.get(0)).startsWith("       ").contains("time to").contains("staleness");
    assertThat(lines.get(1)).startsWith("exchange  ").contains("97 %").endsWith("  planned");
    assertThat(lines.get(2).split(" {2,}"))
        .containsExactly(
            "ako", "6.0 s", "97.00 %", "0.0100", "2", "6.0 s", "50", "0.0 MB", "1.5", "7", "38 %",
            "38 %", "25 %", "3.0", "40 %");
    assertThat(lines.get(3)).startsWith("ring").contains("–").doesNotContain("0");
    assertThat(lines.get(4)).isEqualTo("ring: loss is NaN");
    assertThat(lines.subList(0, 4)).extracting(String::length).containsOnly(lines.get(0).length());
  }

  @Test
  void aTargetIsOneOnlyIfAllHaveIt() {
    List<ComparedRun> different = List.of(Histories.run("a", TO_97), Histories.run("b", TO_99));
    assertThat(ComparisonTable.target(different)).isEmpty();
    assertThat(new ComparisonTable(different).lines().get(0)).doesNotContain("time to");
    assertThat(new ComparisonTable(List.of(Histories.run("a", TO_99))).lines().get(2))
        .contains("not reached");
    assertThat(ComparisonTable.shortPercent(0.975)).isEqualTo("97.5 %");
    assertThat(ComparisonTable.shortPercent(1)).isEqualTo("100 %");
  }

  @Test
  void aRunThatDidNotComeToItsEndIsTrouble() {
    RunHistory whole = Histories.of(TO_97);
    RunHistory cut = new RunHistory(whole.head(), whole.evaluations(), Optional.empty());
    assertThat(ComparedRun.of("a", whole).trouble()).isEmpty();
    assertThat(ComparedRun.of("a", cut).trouble())
        .hasValueSatisfying(what -> assertThat(what).contains("did not come to its end"));
    assertThat(ComparedRun.of("a", cut).figures())
        .hasValueSatisfying(figures -> assertThat(figures.accuracyVariancePp2()).isEmpty());
  }
}
