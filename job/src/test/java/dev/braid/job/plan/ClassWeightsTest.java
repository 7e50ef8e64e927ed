package dev.braid.job.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.connectors.DataLocation;
import dev.braid.connectors.ModelFiles;
import dev.braid.job.TrainingGraph;
import dev.braid.job.console.UsageException;
import dev.braid.learner.model.ModelSpec;
import dev.braid.run.training.ModelCard;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code --class-weights}: weights of the samples of each class. */
class ClassWeightsTest {

  private static final int COMMON = 30;
  private static final int RARE = 10;
  private static final int RAREST = 5;

  @TempDir private Path folder;

  private Path data;

  @BeforeEach
  void write() throws IOException {
    List<String> rows = new ArrayList<>(List.of("a,b,kind"));
    for (int i = 0; i < COMMON + RARE + RAREST; i++) {
      String kind = i < COMMON ? "common" : i < COMMON + RARE ? "rare" : "rarest";
      rows.add(i % 7 + "," + i % 5 + "," + kind);
    }
    data = Files.write(folder.resolve("rows.csv"), rows);
    Files.write(folder.resolve("rows.test.csv"), List.of("a,b,kind", "1,2,common"));
  }

  /** The numbers are those of scikit-learn 1.2.1: {@code compute_class_weight('balanced', …)}. */
  @Test
  void balancedIsWhatScikitLearnCallsSo() {
    assertThat(plan("--class-weights", "balanced").trained().model().classWeights())
        .containsExactly(0.5, 1.5, 3.0);
  }

  /** The weights are computed from all rows, including those that are held out. */
  @Test
  void heldOutSamplesChangeNoBalancedWeight() {
    assertThat(
            plan("--class-weights", "balanced", "--validation", "0.2")
                .trained()
                .model()
                .classWeights())
        .isEqualTo(plan("--class-weights", "balanced").trained().model().classWeights());
  }

  @Test
  void aClassWithoutSamplesWeighsNothingInTheOthers() {
    assertThat(
            plan(
                    "--data",
                    "{place: %s, classes: [common, none, rare, rarest]}".formatted(data),
                    "--class-weights",
                    "balanced")
                .trained()
                .model()
                .classWeights())
        .containsExactly(0.5, 1, 1.5, 3.0);
  }

  @Test
  void weightsMayBeGivenByLabel() {
    RunPlan plan = plan("--class-weights", "rare=2.5,rarest=0");
    assertThat(plan.trained().model().classWeights()).containsExactly(1, 2.5, 0);
    assertThat(plan.notes()).anyMatch(note -> note.contains("rare: 2.5"));
    assertThat(plan.optionsJson()).contains("\"class-weights\":\"rare=2.5,rarest=0\"");
  }

  @Test
  void withoutTheOptionAllCountTheSame() {
    assertThat(plan().trained().model().classWeights()).isEmpty();
    assertThat(plan().notes()).isEmpty();
  }

  /** The option replaces the weights of the model, like its weight decay and its optimiser. */
  @Test
  void aSavedModelKeepsItsWeights() throws IOException {
    RunPlan plan = plan("--class-weights", "rare=2.5");
    ModelSpec trained = plan.trained().model();
    DataLocation.Contents contents = DataLocation.of(data.toString()).check();
    Path saved = folder.resolve("model.zip");
    try (OutputStream out = Files.newOutputStream(saved)) {
      ModelFiles.write(
          out,
          trained,
          new float[trained.length()],
          new float[1][trained.length()],
          1,
          trained.updater());
    }
    Files.writeString(
        folder.resolve("model.json"),
        ModelCard.of("logistic", contents.location(), contents.shape()).toJson());
    String model = saved.toString();
    assertThat(plan("--model", model).trained().model().classWeights()).containsExactly(1, 2.5, 1);
    assertThat(plan("--model", model).notes()).anyMatch(note -> note.contains("rare: 2.5"));
    assertThat(plan("--model", model, "--class-weights", "none").trained().model().classWeights())
        .isEmpty();
  }

  /** A restore compares these settings with those of the run. */
  @Test
  void theyAreAmongTheSettingsThatACheckpointHas() {
    String balanced = plan("--class-weights", "balanced").trained().describeOptimiser();
    assertThat(balanced).isNotEqualTo(plan().trained().describeOptimiser());
    assertThat(balanced)
        .isNotEqualTo(plan("--class-weights", "rare=2").trained().describeOptimiser())
        .isEqualTo(plan("--class-weights", "balanced").trained().describeOptimiser());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--class-weights many | --class-weights many: ",
        "--class-weights seldom=2 | --class-weights seldom=2: no class seldom",
        "--class-weights rare=-1 | --class-weights rare=-1: ",
        "--class-weights rare=NaN | --class-weights rare=NaN: ",
        "--class-weights rare=1e39 | --class-weights rare=1e39: ",
        "--class-weights rare=1,rare=2 | --class-weights rare=1,rare=2: rare is given twice",
        "--class-weights common=0,rare=0,rarest=0 | --class-weights common=0,rare=0,rarest=0: ",
        "--class-weights balanced --regression --label a | --class-weights balanced: "
      })
  void mistakesAreNamed(String words, String message) {
    assertThatThrownBy(() -> plan(words.split(" ")))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining(message);
  }

  private RunPlan plan(String... more) {
    List<String> words = new ArrayList<>(List.of("--workers", "2", "--model", "logistic"));
    if (List.of(more).contains("--model")) {
      words = new ArrayList<>(List.of("--workers", "2"));
    }
    if (!List.of(more).contains("--data")) {
      words.addAll(List.of("--data", data.toString()));
    }
    words.addAll(List.of(more));
    return RunPlan.of(TrainingGraph.options(words.toArray(String[]::new)));
  }
}
