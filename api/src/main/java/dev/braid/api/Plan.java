package dev.braid.api;

import dev.braid.api.sample.Encoder;
import dev.braid.connectors.DataChecksums;
import dev.braid.connectors.DataLocation;
import dev.braid.connectors.source.Holdout;
import dev.braid.learner.Batch;
import dev.braid.learner.Shape;
import dev.braid.learner.math.MathChoice;
import dev.braid.learner.network.Models;
import dev.braid.loop.coordinator.StoppingRule;
import dev.braid.run.report.Deeplearning4jFormat;
import dev.braid.run.report.ModelTest;
import dev.braid.run.report.Publishing;
import dev.braid.run.report.ReportConfig;
import dev.braid.run.report.RunExchange;
import dev.braid.run.result.EvaluatedSet;
import dev.braid.run.result.Json;
import dev.braid.run.result.Status;
import dev.braid.run.training.InvalidTrainingException;
import dev.braid.run.training.ModelCard;
import dev.braid.run.training.OptimiserChoice;
import dev.braid.run.training.ScoredSamples;
import dev.braid.run.training.TrainingChecks;
import dev.braid.run.training.TrainingJob;
import dev.braid.run.training.TrainingPlan;
import dev.braid.vector.Range;
import dev.braid.worker.WorkerConfig;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/**
 * Configuration of the workers and of the report of a training, after all checks.
 *
 * @param isStream whether its samples are a stream
 */
record Plan(Settings settings, WorkerConfig workers, ReportConfig report, boolean isStream) {

  private static final StoppingRule NEVER = new StoppingRule(Double.NaN, 0);

  static Plan ofDataSet(
      Settings settings, DataLocation.Contents contents, Holdout holdout, int epochs) {
    DataLocation location = contents.location();
    DataChecksums checksums = contents.checksums();
    String model = settings.network.model();
    TrainingPlan plan =
        plan(
            settings,
            settings.optimizer.orElse(Optimizer.ofNetwork()).choice(model, epochs),
            contents.shape(),
            contents.train().samples(),
            0);
    List<ModelTest> test =
        holdout.held() == 0
            ? List.of()
            : List.of(new ModelTest(plan.trained(), location::openTest));
    return new Plan(
        settings,
        plan.workers(ScoredSamples.of(contents, holdout), NEVER),
        report(
            settings,
            plan,
            Map.of("data", location.place(), "epochs", epochs),
            ModelCard.of(model, location, contents.shape()).toJson(),
            checksums.toString(),
            epochs,
            plan.trained().model().guessingLoss(contents.train().classCounts()),
            test,
            EvaluatedSet.of(false, holdout.held() > 0),
            settings.publishing(location.place(), "", List.of())),
        false);
  }

  static Plan ofStream(
      Settings settings, Encoder<?> encoder, String data, List<Publishing> publishing) {
    Shape shape = encoder.shape();
    TrainingChecks chosen = checks(settings);
    chosen.requireStream(settings.standardized);
    Optimizer usual =
        chosen.exchange().isSynchronous(chosen.options())
            ? Optimizer.adam(0.001)
            : Optimizer.momentum(0.01);
    if (settings.standardized && (shape.isImage() || shape.channels() > 1)) {
      throw new InvalidTrainingException(
          "standardized", "samples are images: scale the pixels in the encoder instead");
    }
    long all = (long) settings.window * settings.workers * settings.batchSize;
    int samples = (int) Math.min(Integer.MAX_VALUE, all);
    String model = settings.network.model();
    TrainingPlan plan =
        plan(
            settings,
            settings.optimizer.orElse(usual).choice(model, Status.ENDLESS),
            shape,
            samples,
            settings.window);
    if (encoder.isWeighted()) {
      TrainingChecks.requireWeights(plan.trained().model());
    }
    return new Plan(
        settings,
        publishing.isEmpty()
            ? plan.workers(ScoredSamples.none(shape), NEVER)
            : plan.workers(ScoredSamples.none(shape), NEVER).withEpochModels(),
        report(
            settings,
            plan,
            Map.of("data", data, EvaluatedSet.WINDOW_OPTION, settings.window),
            // How an encoder makes numbers of images is not known.
            shape.isImage() || shape.channels() > 1
                ? ""
                : ModelCard.ofRows(model, data, shape).toJson(),
            new DataChecksums(0, 0).toString(),
            Status.ENDLESS,
            Double.NaN,
            List.of(),
            EvaluatedSet.of(true, settings.holdout > 0),
            publishing),
        true);
  }

  int servers() {
    return workers.options().dedicatedServers();
  }

  /**
   * Adds the training to a job.
   *
   * @param batches batches of all ranks
   */
  TrainingRun attach(SingleOutputStreamOperator<Batch> batches) {
    Configuration needed = new Configuration();
    // A barrier must not overtake messages in the loop.
    needed.set(CheckpointingOptions.ENABLE_UNALIGNED, false);
    needed.set(CheckpointingOptions.MAX_CONCURRENT_CHECKPOINTS, 1);
    // Flink restores operator state byte by byte, which takes long from plain files.
    needed.set(ExecutionOptions.SNAPSHOT_COMPRESSION, true);
    batches.getExecutionEnvironment().configure(needed);
    return TrainingRun.of(
        TrainingJob.assemble(
            batches, workers, settings.workers, Optional.empty(), Optional.empty()),
        isStream,
        report,
        settings.workers);
  }

  private static TrainingPlan plan(
      Settings settings, OptimiserChoice choice, Shape shape, int samples, int window) {
    return TrainingPlan.of(
        checks(settings),
        choice,
        choice.decaying(Models.of(settings.network.model(), shape, settings.seed)),
        shape,
        samples,
        window,
        MathChoice.PORTABLE,
        settings.standardized ? List.of(Range.ofLength(shape.features())) : List.of());
  }

  private static TrainingChecks checks(Settings settings) {
    return new TrainingChecks(
        settings.exchange.type(), settings.exchangeOptions(), settings.batchSize);
  }

  private static ReportConfig report(
      Settings settings,
      TrainingPlan plan,
      Map<String, Object> data,
      String card,
      String checksums,
      int epochs,
      double guessingLoss,
      List<ModelTest> test,
      EvaluatedSet evaluated,
      List<Publishing> publishing) {
    Map<String, Object> shown = settings.shown();
    shown.putAll(data);
    if (evaluated.isHeldOut()) {
      shown.put(EvaluatedSet.VALIDATION_OPTION, settings.holdout);
    }
    shown.put("updater", plan.updater().title());
    shown.put("learning-rate", plan.updater().learningRate());
    return new ReportConfig(
        new ReportConfig.Texts(Json.write(shown), "", card),
        new ReportConfig.Folder(settings.place(), System.currentTimeMillis(), false),
        new ReportConfig.Samples(
            plan.trained().epochSteps().samples(), checksums, epochs, test, evaluated),
        new ReportConfig.Reference(guessingLoss, new float[0][]),
        new ReportConfig.Sameness(plan.isIdentical(), false),
        Deeplearning4jFormat.of(plan),
        RunExchange.of(plan),
        publishing);
  }
}
