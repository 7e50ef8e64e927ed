package dev.braid.job.restore;

import dev.braid.chaos.ChaosConfig;
import dev.braid.connectors.lineage.Lineage;
import dev.braid.connectors.source.EnumeratorState;
import dev.braid.connectors.source.SampleSource;
import dev.braid.connectors.stream.StreamState;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.state.StateFormat;
import dev.braid.job.config.TopicSettings;
import dev.braid.job.console.Places;
import dev.braid.job.console.UsageException;
import dev.braid.job.engine.CheckedBackend;
import dev.braid.job.engine.FlinkSettings;
import dev.braid.job.options.Checkpoints;
import dev.braid.job.options.TrainOptions;
import dev.braid.job.options.Validation;
import dev.braid.learner.Learner;
import dev.braid.learner.optimiser.Pace;
import dev.braid.run.training.TrainedModel;
import dev.braid.run.training.TrainingJob;
import dev.braid.text.Printable;
import dev.braid.wire.DamagedStateException;
import dev.braid.worker.state.ReplicaPart;
import dev.braid.worker.state.SavedModel;
import dev.braid.worker.state.StateVersionException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InvalidClassException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.filesystem.AbstractFsCheckpointStorageAccess;

/**
 * Check of a run against the checkpoint from which it is to resume, before the job starts. If this
 * process cannot read the checkpoint, as may happen on a cluster, the job will report errors.
 */
public final class RestoreCheck {

  /**
   * Changes to a checkpoint's state.
   *
   * @param sentences for the user, one line each
   * @param dropsEvents whether the state of chaos events is dropped, which Flink must be configured
   *     to allow
   * @param lineage place of the lineage that the run continues, if it has one
   */
  public record Changes(List<String> sentences, boolean dropsEvents, Optional<String> lineage) {
    static final Changes NONE = new Changes(List.of(), false, Optional.empty());

    static final Changes UNKNOWN =
        new Changes(
            List.of(
                "the checkpoint cannot be read from here: only the job can check that it fits, "
                    + "and this command could not check that reading it runs no code"),
            false,
            Optional.empty());
  }

  private final TrainOptions options;
  private final String place;

  RestoreCheck(TrainOptions options, String place) {
    this.options = options;
    this.place = place;
  }

  /**
   * Checks whether the run can resume from its checkpoint, if it has one.
   *
   * @return the changes to its state
   * @throws UsageException for the first property that does not fit
   */
  public static Changes check(
      TrainOptions options, SampleSource samples, TrainedModel model, Optional<ChaosConfig> chaos) {
    if (options.recovery().restore().isEmpty()) {
      return Changes.NONE;
    }
    RestoreCheck check = new RestoreCheck(options, options.recovery().restore().get());
    Optional<SavedRun> saved = check.read(samples);
    saved.ifPresent(run -> check.checkFits(run, samples.fresh(), model));
    return saved
        .map(run -> check.changes(run, samples.fresh(), model, chaos))
        .orElse(Changes.UNKNOWN);
  }

  /**
   * Returns the parts of a run's model that all ranks have saved.
   *
   * @param options the run's options, with the checkpoint
   * @throws UsageException if the checkpoint cannot be read, or is not Braid's
   */
  public static List<ReplicaPart> parts(TrainOptions options) {
    String place = options.recovery().restore().orElseThrow();
    RestoreCheck check = new RestoreCheck(options, place);
    CheckpointMetadata metadata =
        check.metadata().orElseThrow(() -> check.mistake("no checkpoint there", null));
    try {
      check.checkStates(metadata);
      WholenessCheck.check(metadata);
      return SavedRun.parts(metadata);
    } catch (IOException e) {
      throw check.mistake("its state cannot be read: " + e.getMessage(), e);
    }
  }

  private Changes changes(
      SavedRun saved, EnumeratorState fresh, TrainedModel model, Optional<ChaosConfig> chaos) {
    SavedChaos events = new SavedChaos(saved.operators());
    return new Changes(
        Stream.of(
                finishedSince(saved).stream(),
                saved.source().flatMap(source -> otherData(source, fresh)).stream(),
                saved.model().stream().flatMap(known -> changes(known, model)),
                events.change(chaos).stream())
            .flatMap(Function.identity())
            .toList(),
        events.isDroppedBy(chaos),
        saved.stream().map(StreamState::lineage));
  }

  private static Optional<String> otherData(EnumeratorState saved, EnumeratorState fresh) {
    return saved.checksums().equals(fresh.checksums())
        ? Optional.empty()
        : Optional.of(
            "checkpoint made with other samples (checksums %s); training continues with those of %s (--other-data)"
                .formatted(saved.checksums(), fresh.checksums()));
  }

  /** Returns a note on a checkpoint that is in the folder of a run that has finished. */
  private Optional<String> finishedSince(SavedRun saved) {
    return Checkpoints.isBelow(Checkpoints.placeOf(options), place)
        ? FinishedRun.before(options)
            .map(run -> run.goingOn(saved.begunEpochs(), options.learning().epochs()))
        : Optional.empty();
  }

  private Stream<String> changes(SavedModel saved, TrainedModel model) {
    return Stream.of(saved.change(format()), saved.changeOfOptimiser(model.describeOptimiser()))
        .flatMap(Optional::stream)
        .map(change -> "checkpoint " + change);
  }

  private StateFormat format() {
    return options.sharing().exchange().stateFormat(options.sharing().options());
  }

  private Optional<SavedRun> read(SampleSource samples) {
    Optional<CheckpointMetadata> metadata = metadata();
    if (metadata.isEmpty()) {
      return Optional.empty();
    }
    try {
      checkStates(metadata.get());
      WholenessCheck.check(metadata.get());
      checkParallelism(metadata.get());
      return Optional.of(
          SavedRun.of(metadata.get(), samples, options.samples().stream().isPresent()));
    } catch (UsageException e) {
      throw e;
    } catch (StateVersionException e) {
      throw mistake(e.getMessage(), e);
    } catch (IOException e) {
      String reason = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
      if (!CheckedBackend.isDamage(e)) {
        throw mistake("its state cannot be read: " + reason, e);
      }
      boolean isMissing = e instanceof NoSuchFileException || e instanceof FileNotFoundException;
      throw damaged(isMissing ? reason.replaceFirst(" \\(.*", "") + ": no such file" : reason, e);
    } catch (RuntimeException | OutOfMemoryError e) {
      // Readers of states trust the lengths in them and allocate as much memory at once.
      throw damaged("a state cannot be read: " + e, e);
    }
  }

  private void checkStates(CheckpointMetadata metadata) throws IOException {
    Optional<String> stranger = StateFilesCheck.stranger(metadata);
    if (stranger.isPresent()) {
      throw unreadable(
          Printable.of(stranger.get())
              + ": the checkpoint is damaged, was written by another version of Braid, or "
              + "could run code when it is read; restore only your own checkpoints; "
              + CheckpointDamage.instead(place, Optional.of(Checkpoints.placeOf(options))),
          null);
    }
  }

  private DamagedCheckpointException damaged(String reason, Throwable cause) {
    return unreadable(
        CheckpointDamage.sentence(place, Optional.of(Checkpoints.placeOf(options)), reason), cause);
  }

  private DamagedCheckpointException unreadable(String what, Throwable cause) {
    return new DamagedCheckpointException("--restore " + Places.shown(place) + ": " + what, cause);
  }

  /**
   * Checks the number of ranks. Flink cannot redistribute state to more tasks than its maximum
   * parallelism.
   */
  private void checkParallelism(CheckpointMetadata metadata) {
    for (OperatorState operator : metadata.getOperatorStates()) {
      if (operator.getOperatorUid().equals(Optional.of(TrainingJob.WORKERS_UID))) {
        require(
            options.ranks() <= operator.getMaxParallelism(),
            "made for at most %d workers and servers, not for %d",
            operator.getMaxParallelism(),
            options.ranks());
      }
    }
  }

  private Optional<CheckpointMetadata> metadata() {
    StreamStateHandle file;
    try {
      file =
          AbstractFsCheckpointStorageAccess.resolveCheckpointPointer(FlinkSettings.asUri(place))
              .getMetadataHandle();
    } catch (IOException | IllegalArgumentException e) {
      if (isFolderHere()) {
        Validation.checkRestore(place);
      }
      return Optional.empty();
    }
    try {
      return Optional.of(WholenessCheck.metadata(file, place));
    } catch (InvalidClassException e) {
      throw mistake(
          "its file _metadata has an object that Flink does not write ("
              + e.getMessage()
              + "): reading it could run code; restore only your own checkpoints",
          e);
    } catch (DamagedStateException e) {
      throw damaged(e.getMessage(), e);
    } catch (IOException e) {
      throw mistake("its file _metadata cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * Returns whether the folder is on this machine; otherwise another machine will report errors.
   */
  private boolean isFolderHere() {
    return Validation.isLocal("--restore", place) && Files.isDirectory(Validation.localPath(place));
  }

  private void checkFits(SavedRun saved, EnumeratorState fresh, TrainedModel model) {
    saved.source().ifPresent(source -> checkSource(source, fresh));
    saved.stream().ifPresent(this::checkStream);
    require(
        saved.begunEpochs() <= options.learning().epochs(),
        "is of epoch %d, but --epochs is %d: must be %1$d or more",
        saved.begunEpochs(),
        options.learning().epochs());
    saved.model().ifPresent(known -> checkModel(known, model));
    saved
        .backend()
        .ifPresent(
            backend ->
                require(
                    backend == options.recovery().stateBackend(),
                    "made with --state-backend %s, not %s",
                    backend.title(),
                    options.recovery().stateBackend().title()));
  }

  private void checkSource(EnumeratorState saved, EnumeratorState fresh) {
    saved
        .difference(
            fresh,
            "--data " + Places.shown(options.samples().location().place()),
            options.recovery().otherData())
        .ifPresent(
            why -> {
              throw mistake(why, null);
            });
  }

  private void checkStream(StreamState saved) {
    if (!saved.unreadable().isEmpty()) {
      throw mistake(saved.unreadable(), null);
    }
    require(
        options.samples().stream()
            .map(stream -> stream.form().fingerprint().equals(saved.fingerprint()))
            .orElse(false),
        "made with features, classes or scales that differ from the data file of %s",
        options.samples().location().place());
    require(
        saved.seed() == options.learning().seed(),
        "made with --seed %d, not %d",
        saved.seed(),
        options.learning().seed());
    String lineage = options.samples().stream().flatMap(it -> it.settings().lineage()).orElse("");
    require(
        Lineage.isContinued(saved.lineage(), lineage),
        "made with the lineage %s, not %s: a restored run continues its lineage",
        saved.lineage(),
        lineage.isEmpty() ? "a folder" : lineage);
  }

  void checkModel(SavedModel saved, TrainedModel model) {
    int parameters;
    try (Learner learner = model.learner()) {
      parameters = learner.length();
    }
    options.samples().stream()
        .ifPresent(it -> checkStandardized(saved.parameters(), model, it.settings()));
    require(
        saved.parameters() == parameters,
        "made with a model of %,d parameters, but --model %s has %,d with --data %s",
        saved.parameters(),
        options.model(),
        parameters,
        Places.shown(options.samples().location().place()));
    String updater = model.optimiser().updater().title();
    // The number of vectors does not suffice, because optimisers with equal numbers have different
    // vectors.
    require(
        saved.isOfUpdaterOf(updater)
            && saved.updaterVectors() == model.updater(Pace.STEPS).stateVectors(),
        "made with --updater %s, not %s%s",
        saved.updater(),
        updater,
        whereMomentumIs(saved.format()));
    saved
        .format()
        .inAnotherVersion(format())
        .ifPresent(
            state -> {
              throw mistake(
                  "the state '%s' of exchange %s is in version %d of its format: this Braid reads version %d"
                      .formatted(
                          state.name(),
                          saved.format().exchange(),
                          state.version(),
                          format().state(state.name()).orElseThrow().version()),
                  null);
            });
  }

  /** Names the setting if only running statistics make the difference. */
  private void checkStandardized(int saved, TrainedModel model, TopicSettings settings) {
    boolean hasScales = model.scales().isPresent();
    int otherwise =
        hasScales ? model.model().length() : model.standardizing(settings.numbers()).length();
    require(
        saved == model.length() || saved != otherwise,
        "made %s 'standardize: true', which the data file of %s %s",
        hasScales ? "without" : "with",
        options.samples().location().place(),
        hasScales ? "has" : "does not have");
  }

  /**
   * Returns a hint on the momentum. If workers keep it, steps are plain ones, whichever updater was
   * given.
   */
  private String whereMomentumIs(StateFormat saved) {
    boolean wasAtWorkers = isMomentumAtWorkers(saved);
    if (wasAtWorkers == isMomentumAtWorkers(format())) {
      return "";
    }
    return wasAtWorkers
        ? ": its workers kept the momentum; use an exchange with compress=dgc, or "
            + "--updater sgd to continue without momentum"
        : ": with compress=dgc, workers keep the momentum; use another codec";
  }

  private static boolean isMomentumAtWorkers(StateFormat format) {
    return format.state(Compression.Corrected.VELOCITY).isPresent();
  }

  private void require(boolean met, String mistake, Object... values) {
    if (!met) {
      throw mistake(String.format(Locale.ROOT, mistake, values), null);
    }
  }

  private UsageException mistake(String what, Throwable cause) {
    return new UsageException("--restore " + Places.shown(place) + ": " + what, cause);
  }
}
