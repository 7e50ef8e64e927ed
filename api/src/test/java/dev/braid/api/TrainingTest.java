package dev.braid.api;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.api.sample.Encoder;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.learner.InvalidModelException;
import dev.braid.run.training.InvalidTrainingException;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class TrainingTest {

  private static final Encoder<Long> ENCODER =
      Encoder.ofClasses(2, 2, (number, sample) -> sample.label(0));

  private static Training training() {
    return Braid.training(Network.preset("logistic")).results("out");
  }

  private static void assertNames(ThrowingCallable mistake, String... words) {
    assertThatThrownBy(mistake)
        .isInstanceOf(InvalidTrainingException.class)
        .message()
        .contains(words)
        .doesNotContain("\n", "--");
  }

  private static void train(Training training) {
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    training.train(env.fromSequence(0, 9), ENCODER);
  }

  @Test
  void settingsAreCheckedWhenTheyAreMade() {
    assertNames(() -> training().workers(0), "workers", "0");
    assertNames(() -> training().batchSize(-1), "batch", "-1");
    assertNames(() -> training().window(0), "window", "0");
    assertNames(() -> training().holdout(1), "holdout", "1.0");
    assertNames(() -> training().maxBatchWait(Duration.ZERO), "batch", "0 ms");
    assertNames(() -> training().exchange("rnig"), "exchange", "rnig", "ring");
    assertNames(() -> training().exchange("ako:partitions=0"), "exchange", "ako", "0");
    assertNames(() -> Optimizer.named("adma", 0.1), "optimizer", "adma", "adam");
    assertNames(() -> Optimizer.sgd(Double.NaN), "learning rate", "NaN");
    assertThatThrownBy(() -> Network.preset("mpl"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("mlp");
  }

  @Test
  void whatDoesNotFitTogetherIsRefused() {
    assertNames(() -> train(Braid.training(Network.preset("mlp"))), "results");
    assertNames(() -> train(training().exchange("coded")), "exchange", "coded");
    assertNames(
        () -> train(training().exchange("ako").optimizer(Optimizer.adam(0.1))), "adam", "ako");
    assertNames(
        () -> train(training().exchange("ako").optimizer(Optimizer.sgd(0.1).clipNorm(1))), "clip");
    assertThatThrownBy(() -> train(Braid.training(Network.file(Path.of("no.zip"))).results("out")))
        .isInstanceOf(InvalidModelException.class);
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    assertThatThrownBy(() -> training().fit(env, DataSet.at("no.csv"), 1))
        .isInstanceOf(InvalidDataException.class)
        .hasMessageContaining("no.csv");
    assertNames(() -> training().fit(env, DataSet.at("mnist"), 0), "epochs", "0");
    assertNames(
        () -> training().standardized().fit(env, DataSet.at("mnist"), 1), "standardized", "data");
    assertNames(
        () -> train(training().standardized().exchange("ring:compress=bf16")), "exchange", "16");
    assertNames(
        () ->
            training()
                .standardized()
                .train(
                    env.fromSequence(0, 9),
                    Encoder.ofImages(1, 2, 2, 2, (number, sample) -> sample.label(0))),
        "standardized",
        "images");
  }

  @Test
  void aTrainingIsAValue() {
    Training one = training();
    Training other = one.exchange("coded");
    train(one);
    assertNames(() -> train(other), "coded");
  }
}
