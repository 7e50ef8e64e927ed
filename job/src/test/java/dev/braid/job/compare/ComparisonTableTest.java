package dev.braid.job.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.compare.Columns.Row;
import dev.braid.run.result.EpochLines;
import dev.braid.run.result.Evaluation;
import dev.braid.run.result.RunHistory;
import dev.braid.run.result.WorkerMeans;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ComparisonTableTest {

  private static final String TO_97 = "{\"target-accuracy\":0.97}";
  private static final String TO_99 = "{\"target-accuracy\":0.99}";

  @Test
  void figuresAreMeansOverAllGradients() {
    Figures figures = Figures.of(Histories.of(TO_97));
    assertThat(figures.secondsToTarget()).hasValue(6);
    assertThat(figures.best().accuracy()).isEqualTo(0.97);
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
  void aColumnHasAllFiguresOrWhyThereAreNone() {
    List<String> lines =
        new ComparisonTable(
                List.of(Histories.run("ako", TO_97), Histories.failed("ring", "loss is NaN")))
            .lines();
    assertThat(lines).hasSize(16);
    assertThat(lines.get(0).split(" {2,}")).containsExactly("exchange", "ako", "ring");
    assertThat(lines.subList(1, 15))
        .extracting(line -> line.split(" {2,}", -1)[1])
        .containsExactly(
            "6.0 s", "97.00 %", "0.0100", "2", "6.0 s", "50", "2.0 kB", "1.5", "7", "38 %", "38 %",
            "25 %", "3.0", "40 %");
    assertThat(lines.subList(1, 15)).allMatch(line -> line.endsWith(" –"));
    assertThat(lines.get(15)).isEqualTo("ring: loss is NaN");
    assertThat(lines.subList(0, 15)).extracting(String::length).containsOnly(lines.get(0).length());
  }

  @Test
  void figuresThatNoRunHas_areLeftOut() {
    List<String> lines =
        new ComparisonTable(List.of(Histories.synchronous("ring"), Histories.synchronous("tree")))
            .lines();
    assertThat(lines)
        .extracting(line -> line.split(" {2,}", -1)[0])
        .containsExactly(
            "exchange",
            "best test accuracy",
            "epochs",
            "time",
            "samples per s",
            "sent per worker",
            "staleness mean",
            "staleness worst",
            "computing",
            "waiting",
            "exchanging",
            "ring: did not finish, according to its history",
            "tree: did not finish, according to its history");
  }

  /** A codec that rounds has neither a threshold nor a residual. */
  @Test
  void whatCompressionHasMadeOfGradients() {
    List<ComparedRun> runs =
        List.of(
            compressing("threshold:1%", 0.01, 0.0002, 0.5, 5_000_000, 50_000),
            compressing("bf16", 1, 0, 0, 5_000_000, 2_500_000),
            compressing("sharing", 0.001, 0.0002, 0.5, 5_000_000, 4_000),
            Histories.run("ring", TO_97));
    assertThat(String.join("\n", new ComparisonTable(runs).lines()))
        .containsPattern("density +1.00 % +100 % +0.100 % +–")
        .containsPattern("threshold +0.000200 +– +0.000200 +–")
        .containsPattern("residual norm +0.500 +– +0.500 +–")
        .containsPattern("values before +5.0 MB +5.0 MB +5.0 MB +–")
        .containsPattern("values sent +50.0 kB +2.5 MB +4.0 kB +–")
        .containsPattern("compression +100x +2.00x +1,250x +–");
    assertThat(ComparisonPage.of(runs, Map.of(), List.of()))
        .contains("residual norm</th>", "<td>0.000200</td>", "<td class=\"best\">1,250x</td>");
  }

  private static ComparedRun compressing(
      String name, double density, double tau, double norm, double plain, double sent) {
    WorkerMeans worker =
        new WorkerMeans(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, density, tau, norm, plain, sent);
    Evaluation epoch =
        Evaluation.of(
            1,
            10,
            new Evaluation.TrainFigures(1, 100, 5, 0),
            Evaluation.TestFigures.ofClasses(1, 0.97, 100, 100),
            5,
            0,
            worker);
    RunHistory whole = Histories.of(TO_97);
    return ComparedRun.of(name, new RunHistory(whole.head(), List.of(epoch), whole.outcome()));
  }

  @Test
  void noLineIsWiderThanATerminal_howeverManyRunsThereAre() {
    List<ComparedRun> runs =
        IntStream.range(0, 23)
            .mapToObj(i -> Histories.run("exchange:with-option=" + i, TO_97))
            .toList();
    List<String> lines = new ComparisonTable(runs).lines();
    assertThat(lines).allMatch(line -> line.length() <= ComparisonTable.MAX_WIDTH);
    for (ComparedRun run : runs) {
      assertThat(lines).anyMatch(line -> (line + " ").contains(" " + run.name() + " "));
    }
  }

  /** A history may come from an untrusted source. */
  @Test
  void numbersAndNamesThatNoRunHas_makeNoLineWider() {
    double huge = 1e300;
    Evaluation epoch =
        Evaluation.of(
            1,
            10,
            new Evaluation.TrainFigures(huge, Long.MAX_VALUE, 1e-300, 0),
            Evaluation.TestFigures.ofClasses(huge, huge, 100, 100),
            huge,
            Long.MAX_VALUE,
            new WorkerMeans(huge, huge, huge, huge, (double) Long.MAX_VALUE, huge, huge, 3));
    RunHistory history =
        new RunHistory(
            Histories.head("{\"target-accuracy\":1e300}"), List.of(epoch), Optional.empty());
    ComparisonTable table =
        new ComparisonTable(List.of(ComparedRun.of("ring" + "g".repeat(1000), history)));
    assertThat(table.lines().subList(0, table.columns().size() + 1))
        .allMatch(line -> line.length() <= ComparisonTable.MAX_WIDTH);
    assertThat(table.columns())
        .allMatch(column -> column.cell(table.rows().get(0)).length() <= 20)
        .allMatch(column -> column.heading().length() <= 20);
  }

  @Test
  void theBestOfAColumnIsMarked_ifRunsDiffer() {
    Row good = Row.of(Histories.run("a", TO_97));
    Row none = Row.of(Histories.failed("b", "lost"));
    Row alike = Row.of(Histories.run("c", TO_97));
    Columns.Column accuracy = Columns.of(List.of(good), Optional.empty()).get(0);
    assertThat(accuracy.heading()).isEqualTo("best test accuracy");
    assertThat(accuracy.isBest(good, List.of(good, none))).isTrue();
    assertThat(accuracy.isBest(none, List.of(good, none))).isFalse();
    assertThat(accuracy.isBest(good, List.of(good, alike))).isFalse();
  }

  @Test
  void theSamplesThatEpochsWereEvaluatedOnAreNamed() {
    ComparedRun test = Histories.run("a", "{}");
    ComparedRun validation = Histories.run("b", "{\"validation\":0.1}");
    assertThat(headings(test)).contains("best test accuracy");
    assertThat(headings(validation)).contains("best validation accuracy");
    assertThat(headings(test, validation)).contains("best test or validation accuracy");
    assertThat(RunConditions.of(List.of(test, validation)).warning()).isPresent();
  }

  private static List<String> headings(ComparedRun... runs) {
    return new ComparisonTable(List.of(runs))
        .columns().stream().map(Columns.Column::heading).toList();
  }

  @Test
  void runsOfDifferentModelsOrDataAreWarnedOf() {
    ComparedRun mlp = Histories.run("a", "{\"model\":\"mlp\",\"data\":\"mnist\",\"batch\":1}");
    ComparedRun cnn = Histories.run("b", "{\"model\":\"cnn\",\"data\":\"mnist\",\"batch\":2}");
    assertThat(RunConditions.of(List.of(mlp, cnn)).warning())
        .hasValue(
            "The runs differ in --model, so the exchange is not the only cause of different figures.");
    assertThat(RunConditions.of(List.of(mlp, mlp)).warning()).isEmpty();
  }

  @Test
  void anAccuracyOnAPartOfTheTestSetIsMarked() {
    RunHistory whole = Histories.of(TO_97);
    Evaluation first = whole.evaluations().get(0);
    Evaluation part =
        Evaluation.of(
            1,
            10,
            new Evaluation.TrainFigures(1, 100, 2, 20),
            Evaluation.TestFigures.ofClasses(1, 0.98, 30, 50),
            3,
            4000,
            first.worker());
    RunHistory partial = new RunHistory(whole.head(), List.of(part), whole.outcome());
    ComparisonTable table = new ComparisonTable(List.of(ComparedRun.of("ft-tree", partial)));
    assertThat(table.lines().get(2)).contains("98.00 % *");
  }

  @Test
  void aTargetIsOneOnlyIfAllHaveIt() {
    List<ComparedRun> different = List.of(Histories.run("a", TO_97), Histories.run("b", TO_99));
    assertThat(ComparisonTable.target(different)).isEmpty();
    assertThat(new ComparisonTable(different).lines()).noneMatch(line -> line.contains("time to"));
    assertThat(new ComparisonTable(List.of(Histories.run("a", TO_99))).lines())
        .anyMatch(line -> line.contains("not reached"));
    assertThat(Columns.shortPercent(0.975)).isEqualTo("97.5 %");
    assertThat(Columns.shortPercent(1)).isEqualTo("100 %");
  }

  @Test
  void aRunThatDidNotComeToItsEndIsTrouble() {
    RunHistory whole = Histories.of(TO_97);
    RunHistory cut = new RunHistory(whole.head(), whole.evaluations(), Optional.empty());
    assertThat(ComparedRun.of("a", whole).trouble()).isEmpty();
    assertThat(ComparedRun.of("a", cut).trouble())
        .hasValueSatisfying(what -> assertThat(what).contains("did not finish"));
    assertThat(ComparedRun.of("a", cut).figures())
        .hasValueSatisfying(figures -> assertThat(figures.accuracyVariancePp2()).isEmpty());
  }

  @Test
  void runsOfARegressionAreComparedByTheirLoss() {
    List<ComparedRun> runs =
        Stream.of(0.25, 0.125)
            .map(
                loss ->
                    ComparedRun.of(
                        "run " + loss,
                        new RunHistory(
                            Histories.head("{\"target-loss\":0.2}"),
                            List.of(
                                EpochLines.ofValues(1, 0.5, 0.5),
                                EpochLines.ofValues(2, loss, 1 - loss)),
                            Optional.empty())))
            .toList();
    assertThat(String.join("\n", new ComparisonTable(runs).lines()))
        .containsPattern("time to loss.0.2 +not reached +2.0 s")
        .containsPattern("least test loss +0.25\\d* +0.125")
        .containsPattern("test R² +0.7500 +0.8750")
        .doesNotContain("accuracy");
    assertThat(ComparisonPage.of(runs, Map.of(), List.of()).replaceAll("(?s)<script>.*", ""))
        .contains("Test R² over time", "\"isShare\":false")
        .doesNotContain("ccuracy");
  }
}
