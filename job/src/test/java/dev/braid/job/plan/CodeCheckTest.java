package dev.braid.job.plan;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.job.TrainingGraph;
import dev.braid.job.console.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Check of a model under the code, or the codec, of an exchange. */
class CodeCheckTest {

  private static final int UNITS = 1 << 20;

  /** Batch size. An array holds this model's numbers for 2,047 samples. */
  private static final int BATCH = 1_100;

  @TempDir private Path folder;
  private Path data;

  @BeforeEach
  void writeData() throws IOException {
    data = Files.writeString(folder.resolve("rows.csv"), "1,0\n2,1\n".repeat(1_200));
    Files.writeString(folder.resolve("rows.test.csv"), "1,0\n");
  }

  /** Combinations of a batch-normalised model's gradients are not gradients of samples. */
  @Test
  void aModelWhoseGradientsOnlyAddUp_needsACodeThatIsARepetition() throws IOException {
    Path model = model(true, 4);
    assertThatThrownBy(() -> plan(model, "--workers=3", "--exchange=coded:children=3"))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "--model %s: with batch normalisation, or Deeplearning4j's own layers, gradients cannot be weighted: an even number of workers is needed, or stragglers=0"
                .formatted(model));
    for (String[] options :
        new String[][] {
          {"--workers=4", "--exchange=coded"},
          {"--workers=3", "--exchange=coded:stragglers=0"},
          {"--workers=3", "--exchange=drop-stragglers"},
        }) {
      assertThatCode(() -> plan(model, options)).doesNotThrowAnyException();
    }
  }

  @Test
  void aModelWhoseGradientsCombine_mayHaveAnyCode() throws IOException {
    Path model = model(false, 4);
    assertThatCode(() -> plan(model, "--workers=3", "--exchange=coded:children=3"))
        .doesNotThrowAnyException();
  }

  /** A worker computes both batches of the round, which together are too large. */
  @Test
  void whatAWorkerComputesOfARoundHasToFit() throws IOException {
    Path model = model(false, UNITS);
    String batch = "--batch=" + BATCH;
    assertThatThrownBy(() -> plan(model, "--workers=2", "--exchange=gradient-coding", batch))
        .hasMessageContaining("a batch of 2,160 is too large; must be 2,047 or less");
    assertThatCode(() -> plan(model, "--workers=2", "--exchange=uncoded", batch))
        .doesNotThrowAnyException();
  }

  /** One of two subtrees has two workers and receives one of three samples. */
  @Test
  void aBatchThatLeavesAWorkerWithoutSamplesIsTooSmall() throws IOException {
    Path model = model(false, 4);
    String[] tree = {"--workers=3", "--exchange=coded:children=2,stragglers=0"};
    assertThatThrownBy(() -> plan(model, tree[0], tree[1], "--batch=1"))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "--batch 1: of a round of 3 samples, some of 3 workers would have none in this tree: 2"
                + " is needed");
    assertThatCode(() -> plan(model, tree[0], tree[1], "--batch=2")).doesNotThrowAnyException();
    String[] full = {"--workers=12", "--exchange=coded:children=3", "--batch=1"};
    assertThatCode(() -> plan(model, full)).doesNotThrowAnyException();
  }

  private RunPlan plan(Path model, String... more) {
    List<String> options = new ArrayList<>(List.of("--data=" + data, "--model=" + model));
    options.addAll(List.of(more));
    return RunPlan.of(TrainingGraph.options(options.toArray(String[]::new)));
  }

  private Path model(boolean isNormalised, int units) throws IOException {
    NeuralNetConfiguration.ListBuilder layers =
        new NeuralNetConfiguration.Builder()
            .list()
            .layer(new DenseLayer.Builder().nIn(1).nOut(units).build());
    if (isNormalised) {
      layers = layers.layer(new BatchNormalization.Builder().nIn(units).nOut(units).build());
    }
    MultiLayerConfiguration network =
        layers.layer(new OutputLayer.Builder().nIn(units).nOut(2).build()).build();
    return Files.writeString(folder.resolve("model.json"), network.toJson());
  }
}
