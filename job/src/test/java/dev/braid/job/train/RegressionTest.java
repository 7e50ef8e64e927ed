package dev.braid.job.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.job.CommandRun;
import dev.braid.job.console.Terminal;
import dev.braid.job.options.TrainOptions;
import dev.braid.job.plan.RunPlan;
import dev.braid.job.rest.CauseChain;
import dev.braid.job.rest.CheckpointSight;
import dev.braid.job.rest.JobFailure;
import dev.braid.learner.optimiser.UpdaterSpec;
import dev.braid.run.result.EpochLines;
import dev.braid.run.result.EvaluatedSet;
import dev.braid.run.result.Evaluation;
import dev.braid.run.result.InvalidHistoryException;
import dev.braid.run.result.Json;
import dev.braid.run.result.LossCheck;
import dev.braid.run.result.RunGoal;
import dev.braid.run.result.RunHistory;
import dev.braid.run.result.Statuses;
import dev.braid.worker.DivergedException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.learning.config.Sgd;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** Messages and errors of a run whose model predicts values. */
class RegressionTest {

  @TempDir private Path folder;
  private String table;

  @BeforeEach
  void writeTable() throws IOException {
    table =
        Files.write(
                folder.resolve("a.csv"),
                IntStream.range(0, 40).mapToObj(i -> i + "," + (10 + i % 7)).toList())
            .toString();
  }

  @Test
  void theProgressLineHasR2() {
    assertThat(ProgressView.line(EpochLines.ofValues(3, 0.25, 0.9312), Statuses.at(1).status()))
        .startsWith("epoch  3/10  loss 2.0000  test loss 0.2500  test R² 0.9312 ")
        .doesNotContain("accuracy");
    assertThat(ProgressView.line(EpochLines.ofValues(3, 0.25, Double.NaN), Statuses.at(1).status()))
        .contains("test R² undefined ");
  }

  @Test
  void theBestIsTheOneWithTheLeastLoss_andPatienceCountsFromIt() {
    List<Evaluation> lines =
        List.of(
            EpochLines.ofValues(1, 0.5, 0.5),
            EpochLines.ofValues(2, 0.2, 0.8),
            EpochLines.ofValues(3, 0.3, 0.7));
    assertThat(Evaluation.best(lines)).hasValue(lines.get(1));
    assertThat(EarlyStop.of(OptionalInt.of(1), 9, lines))
        .hasValue("no improvement in 1 epochs since epoch 2: ended after epoch 3");
    assertThat(
            TargetVerdict.of(goal("--target-loss", "0.25"), lines, lines.get(2).score()).reached())
        .hasValue(
            "loss 0.2500 reached in epoch 2, with loss 0.2000, and training ended after epoch 3");
    assertThat(
            TargetVerdict.of(
                    goal("--target-loss", "0.1", "--epochs", "3"), lines, lines.get(2).score())
                .missed())
        .hasValue("--target-loss 0.1 was not reached: at best loss 0.2000, in epoch 2");
  }

  @Test
  void aModelThatIsMuchWorseThanTheMeanIsTold() {
    Evaluation poor = EpochLines.ofValues(1, 3, -1.5);
    String words =
        "warning: the test R² after epoch 1 is -1.500, no better than the mean with 0: another"
            + " learning rate, more rounds (more epochs, or a smaller batch)%s may help";
    assertThat(LossCheck.warning(poor, Double.NaN, EvaluatedSet.TEST, true))
        .hasValue(words.formatted(" or standardized features"));
    assertThat(LossCheck.warning(poor, Double.NaN, EvaluatedSet.TEST, false))
        .as("standardized, or no table")
        .hasValue(words.formatted(""));
    assertThat(LossCheck.warning(poor, Double.NaN, EvaluatedSet.TEST))
        .as("not known which")
        .hasValue(words.formatted(" or, for a table, standardized features"));
    assertThat(LossCheck.warning(EpochLines.ofValues(1, 1, -0.9), Double.NaN, EvaluatedSet.TEST))
        .isEmpty();
    assertThat(
            LossCheck.warning(EpochLines.ofValues(1, 1, Double.NaN), Double.NaN, EvaluatedSet.TEST))
        .isEmpty();
  }

  /** The history must not mention accuracy, and must have all other fields. */
  @Test
  void aHistoryIsReadAgain() throws IOException {
    String json = Json.write(EpochLines.ofValues(1, 0.5, 0.75));
    assertThat(json).contains("\"testR2\":0.75").doesNotContain("ccuracy");
    assertThat(Json.read(json, Evaluation.class)).isEqualTo(EpochLines.ofValues(1, 0.5, 0.75));
    assertThat(history("a", json).evaluations()).containsExactly(EpochLines.ofValues(1, 0.5, 0.75));
    String damaged = json.replace("\"testLoss\":0.5,", "");
    assertThatThrownBy(() -> history("b", damaged)).isInstanceOf(InvalidHistoryException.class);
  }

  private RunHistory history(String name, String lines) throws IOException {
    String head =
        "{\"options\":{},\"workers\":2,\"braid\":\"b\",\"flink\":\"f\",\"java\":\"j\","
            + "\"machine\":\"m\",\"nativeLibrary\":\"n\",\"started\":\"s\",\"data\":[\"d\"],\"chunkLength\":1,\"math\":[]}";
    Path file = Files.writeString(folder.resolve(name), head + "\n" + lines);
    return RunHistory.read(file);
  }

  @Test
  void aRunSaysBetweenWhichNumbersValuesAre() {
    assertThat(RunPlan.of(options()).describeData())
        .isEqualTo("1 features; values of column 2: 10.00 to 16.00, mean 12.86");
    assertThat(options().toJson(UpdaterSpec.of("sgd", OptionalDouble.empty()), 1, 0))
        .contains("\"regression\":true");
  }

  @Test
  void mistakesAreALineEach() throws IOException {
    mistake("--target-accuracy 0.9 --target-loss", "--target-accuracy", "0.9");
    CommandRun.of("train", "--regression", "--data", "{place: %s, classes: 3}".formatted(table))
        .assertMistake("classes regression");
    mistake("--target-loss NaN", "--target-loss", "NaN");
    CommandRun.ofLine("train --regression --out " + out()).assertMistake("--regression --data");
    CommandRun.ofLine("train --target-loss 0.1 --out " + out())
        .assertMistake("--target-loss 0.1 --regression --target-accuracy");
    mistake("layer0 LossMCXENT", "--model", model(LossFunction.MCXENT, Activation.SOFTMAX, 2));
    String poisson = model(LossFunction.POISSON, Activation.SOFTPLUS, 1);
    mistake("loss 0 --standardize", "--model", poisson, "--standardize");
    assertThat(RunPlan.of(options("--model", poisson)).hasValues()).isTrue();
    String mse = model(LossFunction.MSE, Activation.IDENTITY, 1);
    CommandRun.of(
            "train",
            "--data",
            "{place: %s, classes: 17}".formatted(table),
            "--model",
            mse,
            "--out",
            out())
        .assertMistake("1 17 LossMSE --regression");
    assertThat(Files.exists(folder.resolve("out"))).as("nothing is left behind").isFalse();
  }

  @Test
  void testValuesOfWhichThereIsNoLogarithmAreRefused() throws IOException {
    Files.writeString(folder.resolve("a.test.csv"), "1,12\n2,-1\n");
    for (LossFunction loss :
        List.of(LossFunction.POISSON, LossFunction.MEAN_SQUARED_LOGARITHMIC_ERROR)) {
      mistake("loss 0 2 test -1.000", "--model", model(loss, Activation.SOFTPLUS, 1));
    }
  }

  /**
   * The option is not suggested if it would be refused: it makes values negative, which such a loss
   * does not accept.
   */
  @Test
  void dataThatIsNotScaledIsNamedWhereTrainingDiverges() throws IOException {
    assertThat(reasonOfDivergence("--standardize=false"))
        .contains("--learning-rate", "--standardize");
    String poisson = model(LossFunction.POISSON, Activation.SOFTPLUS, 1);
    assertThat(List.of(reasonOfDivergence(), reasonOfDivergence("--model", poisson)))
        .allSatisfy(
            reason ->
                assertThat(reason).contains("--learning-rate").doesNotContain("--standardize"));
  }

  private String reasonOfDivergence(String... more) {
    Throwable failure = new IllegalStateException(new DivergedException(1, 7));
    return new RunEnd(
            new Terminal(System.out, false, false, () -> 80),
            goal(more),
            Optional.empty(),
            place -> place)
        .reason(
            new JobEnd.Failed(
                new JobFailure(0, CauseChain.of(failure), Optional.empty()), CheckpointSight.NONE));
  }

  private RunGoal goal(String... more) {
    return RunPlan.of(options(more)).goal(RunGoal.Required.NOTHING);
  }

  private String model(LossFunction loss, Activation last, int outputs) throws IOException {
    return Files.writeString(
            folder.resolve(loss + ".json"),
            new NeuralNetConfiguration.Builder()
                .updater(new Sgd(0.1))
                .list()
                .layer(new OutputLayer.Builder(loss).nIn(1).nOut(outputs).activation(last).build())
                .build()
                .toJson())
        .toString();
  }

  private String out() {
    return folder.resolve("out").toString();
  }

  private void mistake(String words, String... more) {
    List<String> all =
        new ArrayList<>(List.of("train", "--data", table, "--regression", "--out", out()));
    all.addAll(Arrays.asList(more));
    CommandRun.of(all.toArray(String[]::new)).assertMistake(words);
  }

  private TrainOptions options(String... more) {
    List<String> words = new ArrayList<>(List.of("--data", table, "--regression"));
    words.addAll(Arrays.asList(more));
    return TrainArguments.of(words, terminal()).options();
  }

  private static Terminal terminal() {
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
    return new Terminal(nowhere, false, false, () -> 80);
  }
}
