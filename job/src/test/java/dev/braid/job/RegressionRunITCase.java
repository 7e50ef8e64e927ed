package dev.braid.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.braid.job.console.UsageException;
import dev.braid.job.options.Checkpoints;
import dev.braid.job.plan.RunPlan;
import dev.braid.run.result.BestModel;
import dev.braid.run.result.Evaluation;
import dev.braid.run.result.Outcome;
import dev.braid.run.result.RunHistory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Regression on a table with known coefficients, from training to predictions. */
class RegressionRunITCase {

  @RegisterExtension static final FlinkExtension FLINK = new FlinkExtension();

  private static final int ROWS = 400;
  private static final double PRICE_NOISE = 10;
  private static final double RENT_NOISE = 2;

  @TempDir private Path folder;
  private Path table;

  private static double price(double area, double age) {
    return 1000 + 30 * area - 5 * age;
  }

  private static double rent(double area, double age) {
    return 200 - 2 * area + age;
  }

  @BeforeEach
  void writeTable() throws IOException {
    Random random = new Random(11);
    List<String> rows = new ArrayList<>(List.of("area,price,age,rent"));
    for (int i = 0; i < ROWS; i++) {
      double area = 20 + 100 * random.nextDouble();
      double age = 80 * random.nextDouble();
      rows.add(
          String.format(
              Locale.ROOT,
              "%.3f,%.3f,%.3f,%.3f",
              area,
              price(area, age) + PRICE_NOISE * random.nextGaussian(),
              age,
              rent(area, age) + RENT_NOISE * random.nextGaussian()));
    }
    table = Files.write(folder.resolve("flats.csv"), rows);
  }

  private String[] options(String out, String... more) {
    return withBatch("10", out, more);
  }

  private String[] withBatch(String batch, String out, String... more) {
    List<String> options =
        new ArrayList<>(
            List.of(
                "--data=" + table,
                "--regression",
                "--label=price,rent",
                "--standardize",
                "--model=logistic",
                "--workers=2",
                "--batch=" + batch,
                "--out=" + folder.resolve(out)));
    Collections.addAll(options, more);
    return options.toArray(String[]::new);
  }

  private RunHistory train(String out, String... options) throws Exception {
    var env = FLINK.environment(2, TrainingGraph.settings(options));
    env.execute(TrainingGraph.of(env, options));
    return RunHistory.read(folder.resolve(out).resolve("history.jsonl"));
  }

  private String model(String out) {
    return folder.resolve(out).resolve("model.zip").toString();
  }

  @Test
  void coefficientsAreFound_andPredictionsAreInTheDatasUnits() throws Exception {
    RunHistory history = train("out", options("out", "--epochs=20"));
    Outcome outcome = history.outcome().orElseThrow();
    assertThat(outcome.testR2()).isGreaterThan(0.99);
    assertThat(outcome.identical()).isEqualTo(2);
    assertThat(outcome.ledgerExact()).isTrue();
    Evaluation last = history.evaluations().get(history.evaluations().size() - 1);
    assertThat(last.testR2()).isEqualTo(outcome.testR2());
    // For the mean squared error, error and loss are equal.
    assertThat(last.testMeanSquaredError()).isCloseTo(last.testLoss(), within(1e-6));
    double least =
        history.evaluations().stream().mapToDouble(Evaluation::testLoss).min().orElseThrow();
    assertThat(outcome.best().orElseThrow().testLoss()).isEqualTo(least);
    assertThat(folder.resolve("out/best.zip")).isNotEmptyFile();
    assertThat(folder.resolve("out/history.jsonl")).content().doesNotContain("ccurac");

    JsonNode card = new ObjectMapper().readTree(folder.resolve("out/model.json").toFile());
    assertThat(card.has("classes")).isFalse();
    assertThat(card.at("/values/0/name").asText()).isEqualTo("price");
    assertThat(card.at("/values/1/column").asInt()).isEqualTo(4);
    assertThat(card.at("/values/0/deviation").asDouble()).isGreaterThan(100);

    CommandRun evaluated =
        CommandRun.of("evaluate", "--json", "--model", model("out"), "--data", table + "");
    JsonNode values = new ObjectMapper().readTree(evaluated.out()).get("values");
    assertThat(values.get(0).get("name").asText()).isEqualTo("price");
    assertThat(values.get(0).get("rmse").asDouble()).isCloseTo(PRICE_NOISE, within(5.0));
    assertThat(values.get(1).get("mae").asDouble()).isLessThan(2 * RENT_NOISE);
    double meanR2 = (values.get(0).get("r2").asDouble() + values.get(1).get("r2").asDouble()) / 2;
    assertThat(meanR2).isCloseTo(outcome.testR2(), within(1e-9));
    assertThat(CommandRun.of("evaluate", "--model", model("out"), "--data", table + "").out())
        .contains("(40 test samples)", "RMSE", "price ", "rent ")
        .doesNotContain("accuracy");

    Path rows = Files.write(folder.resolve("new.csv"), List.of("area,age", "50,10", "110,70"));
    List<String> lines =
        CommandRun.of("predict", "--model", model("out"), rows + "").out().lines().toList();
    assertThat(lines.get(0)).isEqualTo("price,rent,error");
    String[] cells = lines.get(1).split(",", -1);
    assertThat(Double.parseDouble(cells[0])).isCloseTo(price(50, 10), within(PRICE_NOISE));
    assertThat(Double.parseDouble(cells[1])).isCloseTo(rent(50, 10), within(RENT_NOISE));
    JsonNode json =
        new ObjectMapper()
            .readTree(
                CommandRun.of("predict", "--json", "--model", model("out"), rows + "")
                    .out()
                    .lines()
                    .toList()
                    .get(1));
    assertThat(json.at("/values/price").asDouble())
        .isCloseTo(price(110, 70), within(2 * PRICE_NOISE));
  }

  /** Each round is gradient descent on the whole data set, as in CodedReduce's paper. */
  @Test
  void fullBatchesComeCloserToTheTrueParametersInEachEpoch() throws Exception {
    train("long", options("long", "--epochs=20", "--updater=sgd", "--learning-rate=0.02"));
    RunHistory history =
        train(
            "full",
            withBatch(
                "all",
                "full",
                "--exchange=coded",
                "--epochs=20",
                "--updater=sgd",
                "--learning-rate=0.1",
                "--true-model=" + model("long")));
    Outcome outcome = history.outcome().orElseThrow();
    assertThat(outcome.rounds()).isEqualTo(20);
    assertThat(outcome.ledgerExact()).isTrue();
    List<Evaluation> epochs = history.evaluations();
    assertThat(epochs).hasSize(20);
    assertThat(epochs.get(0).relativeErrorRate()).isNaN();
    for (int i = 1; i < epochs.size(); i++) {
      assertThat(epochs.get(i).normalizedErrorRate())
          .isLessThan(epochs.get(i - 1).normalizedErrorRate());
      assertThat(epochs.get(i).relativeErrorRate()).isPositive();
    }
    assertThat(epochs.get(19).normalizedErrorRate())
        .isLessThan(0.1 * epochs.get(0).normalizedErrorRate());
    assertThat(epochs.get(19).relativeErrorRate()).isLessThan(epochs.get(1).relativeErrorRate());
  }

  /**
   * The model states that it is a regression, so options need not repeat it and cannot change it.
   */
  @Test
  void trainingGoesOnWithTheSameValues() throws Exception {
    train("first", options("first", "--epochs=10"));
    String[] more = {
      "--data=" + table,
      "--model=" + model("first"),
      "--workers=2",
      "--batch=10",
      "--epochs=30",
      "--target-loss=1",
      "--out=" + folder.resolve("second")
    };
    RunHistory history = train("second", more);
    assertThat(history.evaluations()).as("the target is reached at once").hasSize(1);
    assertThat(Files.readString(folder.resolve("second/model.json")))
        .isEqualTo(
            Files.readString(folder.resolve("first/model.json"))
                .replace("\"logistic\"", "\"" + model("first") + "\""));
    CommandRun.mistake(
        "--target-accuracy 0.9: a regression has no accuracy: use --target-loss",
        "train",
        "--data",
        table + "",
        "--model",
        model("first"),
        "--target-accuracy",
        "0.9");
    CommandRun.mistake(
        "predicts values, as model.json says: remove 'classes'",
        "train",
        "--data",
        "{place: %s, classes: 3}".formatted(table),
        "--model",
        model("first"));
  }

  @Test
  void aRunThatGoesOnFromACheckpointEndsWithTheSameBits() throws Exception {
    String checkpoints = "--checkpoint-dir=" + folder.resolve("checkpoints");
    String heldOut = "--validation=0.25";
    // Enough that the run has not ended when it is cancelled after a checkpoint.
    String epochs = "--epochs=600";
    String[] often = {epochs, checkpoints, "--checkpoint-interval=20ms", heldOut};
    RunHistory whole = train("whole", options("whole", epochs, heldOut));

    String[] interrupted = options("out", often);
    var env = FLINK.environment(2, TrainingGraph.settings(interrupted));
    JobClient job = env.executeAsync(TrainingGraph.of(env, interrupted));
    TrainingCluster.await(() -> Checkpoints.newestBelow(folder.resolve("checkpoints")).isPresent());
    TrainingCluster.awaitAnotherCheckpoint(folder.resolve("checkpoints"));
    job.cancel().get();
    TrainingCluster.await(() -> job.getJobExecutionResult().isDone());

    String newest =
        "--restore=" + Checkpoints.newestBelow(folder.resolve("checkpoints")).orElseThrow();
    assertThatThrownBy(
            () ->
                RunPlan.of(
                    TrainingGraph.options(options("out", epochs, newest, "--validation=0.3"))))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("--validation");
    RunHistory restored = train("out", options("out", epochs, newest, heldOut));
    assertThat(restored.outcome().orElseThrow().digest())
        .isEqualTo(whole.outcome().orElseThrow().digest());
    assertThat(restored.outcome().orElseThrow().ledgerExact()).isTrue();
    assertThat(restored.evaluations())
        .extracting(Evaluation::testLoss)
        .isEqualTo(whole.evaluations().stream().map(Evaluation::testLoss).toList());
    assertThat(restored.evaluations())
        .extracting(Evaluation::testR2)
        .isEqualTo(whole.evaluations().stream().map(Evaluation::testR2).toList());
  }

  @Test
  void samplesThatAreHeldOutChooseTheBestModel_andTheTestSetOnlyMeasuresIt() throws Exception {
    RunHistory history = train("out", options("out", "--epochs=8", "--validation=0.25"));
    Outcome outcome = history.outcome().orElseThrow();
    assertThat(outcome.ledgerExact()).isTrue();
    assertThat(history.evaluations())
        .allSatisfy(epoch -> assertThat(epoch.samples()).isEqualTo(270))
        .allSatisfy(epoch -> assertThat(epoch.testSetSamples()).isEqualTo(90));
    assertThat(Files.readAllLines(folder.resolve("out/history.jsonl")).get(1))
        .contains("\"validationR2\"")
        .doesNotContain("\"test");

    double least =
        history.evaluations().stream().mapToDouble(Evaluation::testLoss).min().orElseThrow();
    BestModel best = outcome.best().orElseThrow();
    assertThat(best.validationScore().orElseThrow().lossOfValues()).isEqualTo(least);
    assertThat(best.testLoss()).isNotEqualTo(least);
    for (String model : List.of("best.zip", "model.zip")) {
      CommandRun evaluated =
          CommandRun.of(
              "evaluate",
              "--json",
              "--model",
              folder.resolve("out/" + model) + "",
              "--data",
              table + "");
      JsonNode values = new ObjectMapper().readTree(evaluated.out()).get("values");
      double r2 = (values.get(0).get("r2").asDouble() + values.get(1).get("r2").asDouble()) / 2;
      assertThat(model.equals("best.zip") ? best.testR2() : outcome.testR2())
          .as(model)
          .isCloseTo(r2, within(1e-9));
    }
  }

  /** These exchanges evaluate each replica, or the model that is merged at the end. */
  @ParameterizedTest
  @ValueSource(strings = {"ako", "averaging", "ps"})
  void otherExchangesLearnItToo(String exchange) throws Exception {
    RunHistory history = train("out", options("out", "--epochs=20", "--exchange=" + exchange));
    Outcome outcome = history.outcome().orElseThrow();
    assertThat(outcome.testR2()).isGreaterThan(0.98);
    assertThat(outcome.replicaScores()).hasSize(exchange.equals("ako") ? 2 : 0);
    assertThat(folder.resolve("out/history.jsonl")).content().doesNotContain("ccurac");
  }
}
