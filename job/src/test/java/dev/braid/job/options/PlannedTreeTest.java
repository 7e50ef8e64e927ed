package dev.braid.job.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.cost.CodedPlan;
import dev.braid.cost.CodedPlanner;
import dev.braid.cost.GradientTimes;
import dev.braid.exchange.coded.CodedOptions;
import dev.braid.job.TrainingGraph;
import dev.braid.job.compare.Histories;
import dev.braid.job.console.UsageException;
import dev.braid.run.result.Json;
import dev.braid.run.result.MeasuredTimes;
import dev.braid.run.result.Outcome;
import dev.braid.run.result.RunHistory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code coded:plan-from=FOLDER}: the tree of a coded run, chosen from an earlier one. */
class PlannedTreeTest {

  private static final String CODED = "{\"exchange\":\"coded\",\"model\":\"mlp\",\"batch\":100}";

  private static final double MESSAGE_SECONDS = 1e-3;

  @TempDir private Path folder;

  /**
   * Two of six workers are ten times slower: s = 1 in two groups, or any tree that leaves both out.
   */
  @Test
  void theChoiceIsAtMostFivePercentBehindTheBestOfAll() throws IOException {
    double[][] times = new double[6][];
    for (int worker = 0; worker < times.length; worker++) {
      times[worker] = spread(worker < 2 ? 1.0 : 0.1);
    }
    writeHistory(CODED, Optional.of(times));
    TrainOptions options = options("--workers=6");
    int children = options.exchangeOptions().get(CodedOptions.CHILDREN);
    int stragglers = options.exchangeOptions().get(CodedOptions.STRAGGLERS);
    assertThat(stragglers).isPositive();
    CodedPlanner other =
        new CodedPlanner(
            GradientTimes.measured(times), MESSAGE_SECONDS, () -> new SplittableRandom(9));
    List<CodedPlan> all =
        CodedPlanner.candidates(6).stream().map(codes -> other.measure(codes, 2000)).toList();
    double best = all.stream().mapToDouble(CodedPlan::seconds).min().orElseThrow();
    double chosen =
        all.stream()
            .filter(plan -> plan.codes().tree().children() == children)
            .filter(plan -> plan.codes().stragglers() == stragglers)
            .mapToDouble(CodedPlan::seconds)
            .findFirst()
            .orElseThrow();
    assertThat(chosen).isLessThanOrEqualTo(1.05 * best);
  }

  /** The history and the run's own options contain the choice. */
  @Test
  void theSameTimesGiveTheSameChoice_asOptionsThatCouldBeTyped() throws IOException {
    writeHistory(CODED, Optional.of(alike(4)));
    TrainOptions planned = options("--workers=4");
    assertThat(options("--workers=4").exchangeOptions()).isEqualTo(planned.exchangeOptions());
    assertThat(planned.exchangeOptions().get(CodedOptions.STRAGGLERS)).isZero();
    TrainOptions typed =
        TrainingGraph.options(
            "--workers=4",
            "--exchange=coded:stragglers=0,children="
                + planned.exchangeOptions().get(CodedOptions.CHILDREN));
    assertThat(planned.exchangeOptions()).isEqualTo(typed.exchangeOptions());
  }

  @Test
  void theReasonIsALine() throws IOException {
    writeHistory(CODED, Optional.of(alike(4)));
    PlannedTree tree =
        PlannedTree.from(
            folder.toString(),
            TrainingGraph.options("--workers=4", "--exchange=coded").exchangeOptions(),
            "mlp");
    assertThat(tree.words())
        .startsWith("planned: coded:children=")
        .contains(",stragglers=0, load r = 0.250, ")
        .contains("the default tree (n = 2, s = 1) takes ")
        .contains("a worker took 90.0 to 110.0 ms for the samples of a round (median 100.")
        .endsWith("an answer 1.00 ms")
        .doesNotContain("\n");
  }

  @Test
  void aRunThatCannotTellIsNamedInALine() throws IOException {
    assertMistake("history.jsonl", "--workers=4");
    assertThatThrownBy(() -> options("--workers=4")).message().containsOnlyOnce(folder.toString());
    writeHistory("{\"exchange\":\"ring\"}", Optional.of(alike(4)));
    assertMistake("ring", "--workers=4");
    writeHistory(CODED, Optional.empty());
    assertMistake("times", "--workers=4");
    writeHistory(CODED, Optional.of(alike(4)));
    assertMistake("4 workers", "--workers=6");
    assertMistake("--batch 100", "--workers=4", "--batch=50");
    assertMistake("--model mlp", "--workers=4", "--model=cnn");
  }

  @Test
  void timesThatNothingCanHaveTakenAreRefused() throws IOException {
    double[][] times = alike(4);
    times[2] = new double[0];
    writeHistory(CODED, Optional.of(times));
    assertMistake("times", "--workers=4");
    for (double impossible : new double[] {-0.1, Double.NaN, Double.POSITIVE_INFINITY}) {
      times[2] = new double[] {0.1, impossible};
      writeHistory(CODED, Optional.of(times));
      assertMistake(Double.toString(impossible), "--workers=4");
    }
    Path history = folder.resolve("history.jsonl");
    Files.writeString(history, Files.readString(history).replace("\"Infinity\"", "null"));
    assertMistake("history.jsonl", "--workers=4");
  }

  @Test
  void aTreeIsChosenByOneOnly() throws IOException {
    writeHistory(CODED, Optional.of(alike(4)));
    for (String option : List.of("children", "stragglers", "layers")) {
      String exchange = "--exchange=coded:plan-from=" + folder + "," + option + "=2";
      assertThatThrownBy(() -> TrainingGraph.options("--workers=4", exchange))
          .isInstanceOf(UsageException.class)
          .hasMessageContainingAll(option + "=2", "plan-from");
    }
  }

  private void assertMistake(String message, String... more) {
    assertThatThrownBy(() -> options(more))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith("--exchange coded: plan-from=" + folder)
        .hasMessageContaining(message)
        .message()
        .doesNotContain("\n");
  }

  private TrainOptions options(String... more) {
    List<String> all = new ArrayList<>(List.of("--exchange=coded:plan-from=" + folder));
    all.addAll(List.of(more));
    return TrainingGraph.options(all.toArray(String[]::new));
  }

  private static double[][] alike(int workers) {
    double[][] times = new double[workers][];
    Arrays.setAll(times, worker -> spread(0.1));
    return times;
  }

  /** Returns times evenly spread around a mean, up to a tenth away. */
  private static double[] spread(double middle) {
    return DoubleStream.iterate(0.9, from -> from < 1.101, from -> from + 0.02)
        .map(times -> times * middle)
        .toArray();
  }

  private void writeHistory(String options, Optional<double[][]> times) throws IOException {
    RunHistory run = Histories.of(options);
    Outcome plain = run.outcome().orElseThrow();
    Outcome outcome =
        new Outcome(
            plain.digest(),
            plain.ranks(),
            plain.leftOut(),
            plain.identical(),
            plain.distance(),
            plain.replicaAccuracies(),
            plain.accuracyVariancePp2(),
            plain.rounds(),
            plain.epochs(),
            plain.testAccuracy(),
            plain.best(),
            plain.ledger(),
            plain.ledgerExact(),
            plain.unusedSamples(),
            plain.ledgerAccounted(),
            plain.model(),
            plain.history(),
            plain.replicaR2s(),
            plain.testR2(),
            plain.testLoss(),
            plain.recoveries(),
            times.map(
                all ->
                    new MeasuredTimes(
                        MESSAGE_SECONDS,
                        Arrays.stream(all)
                            .map(one -> Arrays.stream(one).boxed().toList())
                            .toList())));
    List<String> lines = new ArrayList<>(List.of(Json.write(run.head())));
    run.evaluations().forEach(line -> lines.add(Json.write(line)));
    lines.add(Json.write(outcome));
    Files.write(folder.resolve("history.jsonl"), lines);
  }
}
