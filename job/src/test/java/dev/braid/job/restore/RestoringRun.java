package dev.braid.job.restore;

import dev.braid.connectors.source.SampleSource;
import dev.braid.job.console.Terminal;
import dev.braid.job.options.TrainOptions;
import dev.braid.job.train.TrainArguments;
import dev.braid.learner.Shape;
import dev.braid.learner.math.MathChoice;
import dev.braid.learner.network.Models;
import dev.braid.learner.optimiser.Optimiser;
import dev.braid.learner.optimiser.UpdaterSpec;
import dev.braid.run.training.EpochSteps;
import dev.braid.run.training.TrainedModel;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** A run that is to resume from a checkpoint, and its model. */
final class RestoringRun {

  /** Number of training samples. */
  static final int SAMPLES = 60_000;

  private static final Shape SHAPE = Shape.rows(6, 3);

  private RestoringRun() {}

  /** Checks whether a run with these options may resume from a checkpoint; throws if not. */
  static void check(WrittenCheckpoint checkpoint, String... options) throws IOException {
    check(checkpoint, SAMPLES, "sgd", options);
  }

  static void check(WrittenCheckpoint checkpoint, int samples, String updater, String... options)
      throws IOException {
    List<String> words = new ArrayList<>(List.of("--restore", checkpoint.folder().toString()));
    words.addAll(List.of(options));
    TrainOptions run = options(words.toArray(String[]::new));
    SampleSource source =
        new SampleSource(run.samples().location(), samples, run.learning().seed(), 10, 100);
    RestoreCheck.check(run, source, trained(updater), Optional.empty());
  }

  static TrainOptions options(String... words) {
    Terminal nowhere =
        new Terminal(
            new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8),
            false,
            false,
            () -> 80);
    return TrainArguments.of(List.of(words), nowhere).options();
  }

  static TrainedModel trained(String updater) {
    return new TrainedModel(
        Models.of("logistic", SHAPE, 1),
        SHAPE,
        Optimiser.of(UpdaterSpec.of(updater, OptionalDouble.empty())),
        new EpochSteps(SAMPLES, 100, 0, false),
        MathChoice.PORTABLE);
  }

  static SampleSource source() {
    return new SampleSource(options().samples().location(), SAMPLES, 1, 10, 100);
  }
}
