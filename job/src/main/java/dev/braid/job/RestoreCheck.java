package dev.braid.job;

import dev.braid.connectors.EnumeratorState;
import dev.braid.connectors.SampleSource;
import dev.braid.learner.Learner;
import dev.braid.learner.UpdaterSpec;
import dev.braid.worker.SavedModel;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.filesystem.AbstractFsCheckpointStorageAccess;

/**
 * Holds a run against the checkpoint that it is to go on from, while the user is there to listen.
 * Where this process cannot read the checkpoint, as may be on a cluster, the job will tell.
 */
final class RestoreCheck {

  private final TrainOptions options;
  private final String place;

  RestoreCheck(TrainOptions options, String place) {
    this.options = options;
    this.place = place;
  }

  /**
   * Checks whether the run can go on from its checkpoint, if it has one.
   *
   * @throws UsageException for the first thing that does not fit
   */
  static void check(
      TrainOptions options, SampleSource samples, int trainSamples, TrainedModel model) {
    options
        .restore()
        .ifPresent(
            place -> {
              RestoreCheck check = new RestoreCheck(options, place);
              check.read(samples).ifPresent(saved -> check.checkFits(saved, trainSamples, model));
            });
  }

  private Optional<SavedRun> read(SampleSource samples) {
    Optional<CheckpointMetadata> metadata = metadata();
    try {
      return metadata.isEmpty()
          ? Optional.empty()
          : Optional.of(SavedRun.of(metadata.get(), samples));
    } catch (IOException e) {
      throw mistake("a part of it is missing or damaged: " + e.getMessage(), e);
    }
  }

  private Optional<CheckpointMetadata> metadata() {
    StreamStateHandle file;
    try {
      file =
          AbstractFsCheckpointStorageAccess.resolveCheckpointPointer(FlinkSettings.asUri(place))
              .getMetadataHandle();
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
    try (DataInputStream in = new DataInputStream(file.openInputStream())) {
      return Optional.of(
          org.apache.flink.runtime.checkpoint.Checkpoints.loadCheckpointMetadata(
              in, RestoreCheck.class.getClassLoader(), place));
    } catch (IOException | RuntimeException e) {
      throw mistake(
          "its file _metadata is cut off or damaged; give another checkpoint, or begin anew", e);
    }
  }

  private void checkFits(SavedRun saved, int trainSamples, TrainedModel model) {
    saved.source().ifPresent(source -> checkSource(source, trainSamples));
    require(
        saved.begunEpochs() <= options.epochs(),
        "is in epoch %d already, and --epochs is %d: %1$d or more is needed",
        saved.begunEpochs(),
        options.epochs());
    saved.model().ifPresent(known -> checkModel(known, model));
    saved
        .backend()
        .ifPresent(
            backend ->
                require(
                    backend == options.stateBackend(),
                    "made with --state-backend %s, and not %s",
                    backend.title(),
                    options.stateBackend().title()));
  }

  private void checkSource(EnumeratorState saved, int trainSamples) {
    require(
        saved.samples() == trainSamples,
        "made with %,d training samples, and --data %s has %,d",
        saved.samples(),
        options.data().place(),
        trainSamples);
    require(
        saved.seed() == options.seed(),
        "made with --seed %d, and not %d",
        saved.seed(),
        options.seed());
  }

  void checkModel(SavedModel saved, TrainedModel model) {
    int parameters;
    try (Learner learner = model.learner()) {
      parameters = learner.length();
    }
    require(
        saved.parameters() == parameters,
        "made with a model of %,d parameters, and --model %s has %,d on --data %s",
        saved.parameters(),
        options.model(),
        parameters,
        options.data().place());
    require(
        saved.updaterVectors() == model.updater().stateVectors(),
        "made with --updater %s, and not %s",
        updaterOf(saved.updaterVectors()),
        Updaters.nameOf(model.optimiser()));
  }

  /** Braid's optimisers keep different numbers of vectors. */
  private static String updaterOf(int vectors) {
    return Updaters.NAMES.stream()
        .filter(name -> vectorsOf(name) == vectors)
        .findFirst()
        .orElse("of " + vectors + " vectors");
  }

  private static int vectorsOf(String updater) {
    return UpdaterSpec.of(updater, OptionalDouble.empty()).create().stateVectors();
  }

  private void require(boolean met, String mistake, Object... values) {
    if (!met) {
      throw mistake(String.format(Locale.ROOT, mistake, values), null);
    }
  }

  private UsageException mistake(String what, Exception cause) {
    return new UsageException("--restore " + place + ": " + what, cause);
  }
}
