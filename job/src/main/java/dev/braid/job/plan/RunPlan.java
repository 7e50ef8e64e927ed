package dev.braid.job.plan;

import com.fasterxml.jackson.databind.JsonNode;
import dev.braid.api.TrainingRun;
import dev.braid.chaos.ChaosConfig;
import dev.braid.connectors.DataLocation;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.source.Holdout;
import dev.braid.connectors.source.SampleSource;
import dev.braid.connectors.stream.StreamConfig;
import dev.braid.connectors.stream.StreamSource;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.files.WholeFile;
import dev.braid.job.config.DataSettings;
import dev.braid.job.console.Places;
import dev.braid.job.console.Typo;
import dev.braid.job.console.UsageException;
import dev.braid.job.engine.FlinkSettings;
import dev.braid.job.options.TrainOptions;
import dev.braid.job.options.Validation;
import dev.braid.job.restore.LatestCheckpoint;
import dev.braid.job.restore.RestoreCheck;
import dev.braid.learner.InvalidModelException;
import dev.braid.learner.math.MathChoice;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.network.Models;
import dev.braid.run.report.Deeplearning4jFormat;
import dev.braid.run.report.ModelFormat;
import dev.braid.run.report.ModelTest;
import dev.braid.run.report.Publishing;
import dev.braid.run.report.ReportConfig;
import dev.braid.run.report.RunExchange;
import dev.braid.run.result.EarlierResults;
import dev.braid.run.result.EvaluatedSet;
import dev.braid.run.result.Json;
import dev.braid.run.result.RunGoal;
import dev.braid.run.training.InvalidTrainingException;
import dev.braid.run.training.ModelCard;
import dev.braid.run.training.ScoredSamples;
import dev.braid.run.training.TrainedModel;
import dev.braid.run.training.TrainingChecks;
import dev.braid.run.training.TrainingJob;
import dev.braid.run.training.TrainingPlan;
import dev.braid.worker.WorkerConfig;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.ParameterTool;

/**
 * A validated run: its options are consistent, its data can be read, and its model fits the data.
 */
public final class RunPlan {

  private final TrainOptions options;

  /** Reasons why checkpoints newer than the one that the run resumes from were skipped. */
  private final List<String> skipped;

  private final DataLocation.Contents contents;
  private final Holdout holdout;
  private final TrainingPlan plan;
  private final Optional<ChaosConfig> chaos;
  private final Optional<float[]> truth;
  private final RestoreCheck.Changes restored;

  private RunPlan(
      TrainOptions options,
      DataLocation.Contents contents,
      Holdout holdout,
      TrainingPlan plan,
      Optional<ChaosConfig> chaos,
      List<String> skipped) {
    this.options = options;
    this.skipped = skipped;
    this.contents = contents;
    this.holdout = holdout;
    this.plan = plan;
    this.chaos = chaos;
    this.truth = TrueModel.of(options, model(), contents.shape());
    this.restored = RestoreCheck.check(options, samples(), trained(), chaos);
  }

  /**
   * Checks the data, the model, and whether a checkpoint fits them. Numbers and places must have
   * been checked before.
   *
   * @throws UsageException for the first error
   */
  public static RunPlan of(TrainOptions given) {
    checkMath(given);
    try {
      return checked(given);
    } catch (InvalidTrainingException e) {
      throw new UsageException(e.named("--"::concat), e);
    }
  }

  private static RunPlan checked(TrainOptions given) {
    TrainOptions typed = TableDefaults.scaling(given);
    DataLocation.Contents found = contents(typed);
    Holdout holdout = TableDefaults.holdout(typed, found.train().samples());
    DataLocation.Contents contents = found.withTrainSamples(holdout.training());
    TrainOptions chosen =
        TableDefaults.learning(typed, contents.train().samples())
            .withSamples(contents.train().samples());
    Validation.checkWarmUp(chosen);
    Validation.checkSamples(chosen, contents.train().samples());
    Validation.checkTarget(chosen, contents.shape());
    try {
      ModelSpec model =
          ClassWeights.weighing(
              chosen,
              contents,
              chosen
                  .optimiserChoice()
                  .decaying(Models.of(chosen.model(), contents.shape(), chosen.learning().seed())));
      Validation.checkValues(model, contents);
      if (chosen.isWeighted()) {
        TrainingChecks.requireWeights(model);
      }
      TrainingPlan plan =
          TrainingPlan.of(
              chosen.checks(),
              chosen.optimiserChoice(),
              model,
              contents.shape(),
              contents.train().samples(),
              chosen.samples().stream().map(stream -> stream.settings().window()).orElse(0),
              chosen.learning().math(),
              chosen.standardized());
      TrainOptions options = chosen.withExchangeOptions(plan.options());
      Optional<ChaosConfig> chaos =
          options.faults().chaos().map(wanted -> ChaosPlan.of(wanted, options));
      return options.restoresLatest()
          ? LatestCheckpoint.restore(
              options,
              (from, skipped) -> new RunPlan(from, contents, holdout, plan, chaos, skipped))
          : new RunPlan(options, contents, holdout, plan, chaos, List.of());
    } catch (InvalidModelException e) {
      Path file = Path.of(chosen.model());
      if (Files.isDirectory(file)) {
        throw KnownModel.folderMistake(
            chosen.model(), "must be a file, or one of " + String.join(", ", ModelSpec.presets()));
      }
      String elsewhere =
          Files.exists(file)
              ? ""
              : KnownModel.putAside(file) + Typo.question(chosen.model(), ModelSpec.presets());
      throw new UsageException("--" + e.getMessage() + elsewhere, e);
    }
  }

  /** Checks the kernels. This must happen first, because models load the library. */
  private static void checkMath(TrainOptions options) {
    Optional<String> core = MathChoice.coreOfEnvironment();
    if (options.learning().math() == MathChoice.FASTEST && core.isPresent()) {
      throw new UsageException(
          "--math fastest: OPENBLAS_CORETYPE=%s in the environment selects the kernels: unset it, or remove --math"
              .formatted(core.get()));
    }
    try {
      options.learning().math().require();
    } catch (IllegalStateException e) {
      throw new UsageException(e.getMessage(), e);
    }
  }

  /**
   * Adds the whole job to the environment.
   *
   * @param resultsFromMillis time since 1970; the job moves older files in the folder for results
   *     away
   * @param goal by which the run is judged
   * @param runFile text of a file that repeats the run
   */
  public void build(
      StreamExecutionEnvironment env, long resultsFromMillis, RunGoal goal, String runFile) {
    if (restored.dropsEvents()) {
      env.configure(FlinkSettings.droppingState());
    }
    env.setParallelism(options.workers());
    Optional<StreamSource> stream = streamConfig(runFile).map(StreamSource::new);
    env.getConfig().setGlobalJobParameters(userConfiguration(goal));
    TrainingRun.of(
        TrainingJob.assemble(
            env,
            stream.isPresent() ? stream.get() : samples(),
            workerConfig(),
            options.workers(),
            chaos,
            options.faults().linkShape()),
        stream.isPresent(),
        reportConfig(resultsFromMillis, goal.required().sameBits(), runFile),
        options.workers());
  }

  /** Returns the configuration of the workers. */
  public WorkerConfig workerConfig() {
    WorkerConfig config =
        plan.workers(
            options.samples().stream().isPresent()
                ? ScoredSamples.none(contents.shape())
                : ScoredSamples.of(contents, holdout),
            options.stopping());
    return options.results().publish().isPresent() ? config.withEpochModels() : config;
  }

  /**
   * Returns the configuration of the source; empty if the samples do not come from a topic.
   *
   * @param runFile text of a file that repeats the run
   */
  public Optional<StreamConfig> streamConfig(String runFile) {
    return options.samples().stream().map(topic -> StreamPlan.config(options, topic, runFile));
  }

  /**
   * Checks the topic of the lineage, if there is one.
   *
   * @param run id of the Flink job, if it is known before the job starts
   * @throws UsageException if a new run cannot write to it
   */
  public void checkLineage(Optional<String> run) {
    options.samples().stream().ifPresent(stream -> StreamPlan.checkLineage(options, stream, run));
  }

  private SampleSource samples() {
    return new SampleSource(
            contents.location(),
            contents.train().samples(),
            options.learning().seed(),
            options.learning().epochs(),
            options.learning().batch(),
            options.servers())
        .without(holdout)
        .checked(contents.checksums(), options.recovery().otherData());
  }

  /** Returns whether a regression's values are not standardized, but could be. */
  public boolean mayStandardize() {
    return KnownModel.mayStandardize(options, model());
  }

  /** Returns the model that workers train. */
  TrainedModel trained() {
    return plan.trained();
  }

  private ModelSpec model() {
    return plan.trained().model();
  }

  /** Returns a description of the run in one line. */
  public String describe() {
    return RunText.describe(
        options, contents, holdout.held(), trained().optimiser(), model().length());
  }

  /** Returns the name of the job in Flink's web UI. */
  public String jobName() {
    return RunText.jobName(options);
  }

  /** Returns a description of the data in one line. */
  public String describeData() {
    return DataText.of(contents);
  }

  /**
   * Returns notes for the user before the run starts: how the data was read, how the checkpoint is
   * restored, the class weights, and invalid chaos events.
   */
  public List<String> notes() {
    return Stream.of(
            contents.notes().stream(),
            skipped.stream(),
            restored.sentences().stream(),
            KnownModel.notes(options, model(), contents).stream(),
            ClassWeights.note(model(), contents).stream(),
            chaos.flatMap(config -> ChaosPlan.warning(config, options.ranks())).stream())
        .flatMap(notes -> notes)
        .toList();
  }

  /** Returns warnings, one line each, about choices that are probably not what the user wants. */
  public List<String> warnings() {
    Stream<String> exchanges =
        ExchangeType.refused().stream().map("an exchange on the class path is ignored: "::concat);
    return Stream.of(
            exchanges,
            KnownModel.warning(options, model(), contents).stream(),
            DataWarnings.of(options, contents).stream())
        .flatMap(warnings -> warnings)
        .toList();
  }

  /** Returns a note to show with the test accuracy, if every test sample is of the same class. */
  public Optional<String> testedOnOneClass() {
    return DataWarnings.testedOnOneClass(contents);
  }

  /** Returns the samples that the model is evaluated on. */
  public EvaluatedSet evaluated() {
    return EvaluatedSet.of(options.samples().stream().isPresent(), validation() > 0);
  }

  /** Returns whether the model predicts values instead of classes. */
  public boolean hasValues() {
    return contents.shape().hasValues();
  }

  public TrainOptions options() {
    return options;
  }

  /** Returns the options, for Flink's web UI. */
  private ParameterTool userConfiguration(RunGoal goal) {
    Map<String, String> all = shownOptions();
    all.putAll(goal.besidesOptions());
    return ParameterTool.fromMap(all);
  }

  /**
   * Returns the goal by which the run is judged at its end.
   *
   * @param required conditions that make the run fail
   */
  public RunGoal goal(RunGoal.Required required) {
    return new RunGoal(
        options.learning().targetAccuracy(),
        options.learning().other().targetLoss(),
        options.learning().other().patience(),
        options.learning().epochs(),
        required,
        guessingLoss(),
        mayStandardize());
  }

  /** Returns the options by their names. */
  public Map<String, String> shownOptions() {
    Map<String, String> shown = new TreeMap<>();
    record().properties().forEach(option -> shown.put(option.getKey(), text(option.getValue())));
    return shown;
  }

  private static String text(JsonNode value) {
    return value.isValueNode() ? value.asText() : value.toString();
  }

  /** Returns the options by their names, in the form of the history. */
  public JsonNode record() {
    return Json.read(optionsJson(), JsonNode.class);
  }

  /** Returns the options as JSON, in the form of the history. */
  public String optionsJson() {
    return options.toJson(plan.updater(), model().length(), validation());
  }

  /** Returns the share of the samples that is held out of training. */
  private double validation() {
    return options.samples().stream()
        .map(stream -> stream.settings().form().holdout())
        .orElse((double) holdout.held() / holdout.samples());
  }

  /**
   * Returns the mean loss of a model that gives all classes the same probability; NaN if it is
   * unknown.
   */
  public double guessingLoss() {
    return options.isWeighted() ? Double.NaN : model().guessingLoss(contents.train().classCounts());
  }

  /** Returns the configuration of chaos events; empty if there are none. */
  public Optional<ChaosConfig> chaos() {
    return chaos;
  }

  /**
   * Moves the results of an earlier run in the folder for results away. A restored run continues
   * the logs of chaos events.
   *
   * @return the new place; empty if there were no results
   */
  public Optional<String> putEarlierResultsAside() {
    boolean logsGoOn = chaos.isPresent() && options.recovery().restore().isPresent();
    // A restored run continues its lineage.
    List<String> lineage =
        options.recovery().restore().isPresent() ? List.of() : List.of(EarlierResults.LINEAGE);
    try {
      return EarlierResults.putAside(
          options.results().out(),
          Stream.of(logsGoOn ? EarlierResults.OF_TRAINING : EarlierResults.ALL, lineage)
              .flatMap(List::stream)
              .toList());
    } catch (IOException e) {
      throw new UsageException(
          "--out "
              + options.results().out()
              + ": results of an earlier run cannot be moved to another folder: "
              + WholeFile.reason(e),
          e);
    }
  }

  /** Writes a model file with these weights and without state of the optimiser. */
  public void writeModel(float[] weights, OutputStream out) throws IOException {
    modelFormat().write(weights, new float[0][], 0, out);
  }

  /** Returns the model card for these weights, as JSON. */
  public String card(float[] weights) {
    return modelFormat().card(card(), weights);
  }

  private String card() {
    return ModelCard.of(options.model(), contents.location(), contents.shape()).toJson();
  }

  /** Returns the format in which models are saved. */
  ModelFormat modelFormat() {
    return Deeplearning4jFormat.of(plan);
  }

  private ReportConfig reportConfig(long resultsFromMillis, boolean sameBits, String runFile) {
    return new ReportConfig(
        new ReportConfig.Texts(optionsJson(), runFile, card()),
        new ReportConfig.Folder(options.results().out(), resultsFromMillis, chaos.isPresent()),
        new ReportConfig.Samples(
            contents.train().samples(),
            contents.checksums().toString(),
            options.learning().epochs(),
            holdout.held() == 0
                ? List.of()
                : List.of(new ModelTest(trained(), contents.location()::openTest)),
            evaluated()),
        new ReportConfig.Reference(guessingLoss(), truth.stream().toArray(float[][]::new)),
        new ReportConfig.Sameness(plan.isIdentical(), sameBits),
        modelFormat(),
        RunExchange.of(plan),
        publishing());
  }

  /**
   * Checks the registry, if versions of the model are published.
   *
   * @throws UsageException if it cannot be read, or has versions of another model
   */
  public void checkRegistry() {
    for (Publishing publishing : publishing()) {
      try {
        var unused = publishing.newest(card());
      } catch (IOException | InvalidDataException e) {
        throw new UsageException("--publish " + e.getMessage(), e);
      }
    }
  }

  private List<Publishing> publishing() {
    Optional<TrainOptions.Stream> stream = options.samples().stream();
    return options.results().publish().stream()
        .map(
            it ->
                new Publishing(
                    it.registry(),
                    it.pace(),
                    options.samples().location().place(),
                    restored
                        .lineage()
                        .or(() -> stream.map(topic -> StreamPlan.lineage(options, topic)))
                        .orElse(""),
                    stream.map(TrainOptions.Stream::topic).stream().toList()))
        .toList();
  }

  private static DataLocation.Contents contents(TrainOptions options) {
    if (options.samples().stream().isPresent()) {
      TrainOptions.Stream stream = options.samples().stream().get();
      StreamPlan.check(options, stream);
      return StreamPlan.contents(options, stream);
    }
    try {
      DataLocation.Contents contents = KnownModel.data(options).check();
      KnownModel.check(options, contents);
      return contents;
    } catch (InvalidDataException e) {
      throw new UsageException(
          "--data: " + Places.within(DataSettings.explained(e.getMessage())), e);
    }
  }
}
