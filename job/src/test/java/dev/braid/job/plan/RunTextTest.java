package dev.braid.job.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.connectors.ModelFiles;
import dev.braid.exchange.option.Compression;
import dev.braid.job.TrainingGraph;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunTextTest {

  /**
   * If workers apply the momentum, the optimiser after the sum has none, so the text must name it
   * elsewhere.
   */
  @ParameterizedTest
  @CsvSource({
    "dgc, 'ring exchange (compressed: dgc:0.1% with momentum 0.9 at the workers)', sgd",
    "threshold, ring exchange (compressed: threshold:1%), momentum 0.9"
  })
  void whereTheMomentumIs(String codec, String exchange, String updater) {
    assertThat(RunPlan.of(TrainingGraph.options("--exchange", "ring:compress=" + codec)).describe())
        .contains(exchange + ", batch 100, " + updater + ", learning rate 0.1");
  }

  /**
   * A run's description of its optimiser can be typed again, and a saved model resumes with its
   * optimiser.
   */
  @ParameterizedTest
  @CsvSource({
    "--exchange ring:compress=dgc, momentum",
    "--exchange sharing, momentum",
    "--updater sgd, sgd"
  })
  void theOptimiserIsTheRuns_alsoWhereWorkersHaveItsMomentum(
      String options, String updater, @TempDir Path folder) throws IOException {
    RunPlan plan = RunPlan.of(TrainingGraph.options(options.split(" ")));
    assertThat(plan.shownOptions()).containsEntry("updater", updater);

    Path file = folder.resolve("model.zip");
    try (OutputStream out = Files.newOutputStream(file)) {
      plan.modelFormat().write(new float[plan.trained().model().length()], new float[0][], 0, out);
    }
    assertThat(ModelFiles.load(file).updater().title()).isEqualTo(updater);
  }

  /** If no bound is given, the history has the default bound. */
  @ParameterizedTest
  @CsvSource({
    "--exchange sharing, 0",
    "--exchange sharing:staleness=4, 4",
    "--exchange ako, 4",
  })
  void howFarAWorkerMayBeAhead(String options, String staleness) {
    RunPlan plan = RunPlan.of(TrainingGraph.options(options.split(" ")));
    assertThat(plan.shownOptions().get("exchange")).contains("staleness=" + staleness + ",");
  }

  /** Sharing has a default codec, which is recorded like a typed one. */
  @ParameterizedTest
  @CsvSource({
    "sharing --seed 7, dgc:0.1%",
    "sharing --updater sgd, threshold:warm",
    "sharing:compress=threshold:adaptive, threshold:adaptive",
    "sharing:compress=none, none"
  })
  void whatSharingSendsFollowsFromTheOptimiser(String options, String codec) {
    RunPlan plan = RunPlan.of(TrainingGraph.options(("--exchange " + options).split(" ")));
    assertThat(plan.shownOptions().get("exchange")).endsWith("compress=" + codec);
    assertThat(plan.options().sharing().options().get(Compression.OPTION)).hasToString(codec);
  }
}
