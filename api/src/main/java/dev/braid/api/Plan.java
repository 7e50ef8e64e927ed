package dev.braid.api;

import dev.braid.api.sample.Encoder;
import dev.braid.connectors.DataChecksums;
import dev.braid.connectors.DataLocation;
import dev.braid.connectors.source.Holdout;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.learner.Batch;
import dev.braid.learner.Shape;
import dev.braid.learner.math.MathChoice;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.network.Models;
import dev.braid.loop.coordinator.StoppingRule;
import dev.braid.loop.envelope.EnvelopeSerializer;
import dev.braid.run.report.Deeplearning4jFormat;
import dev.braid.run.report.ModelTest;
import dev.braid.run.report.ReportConfig;
import dev.braid.run.report.RunExchange;
import dev.braid.run.result.EvaluatedSet;
import dev.braid.run.result.Json;
import dev.braid.run.result.Status;
import dev.braid.run.training.EpochSteps;
import dev.braid.run.training.InvalidTrainingException;
import dev.braid.run.training.ModelCard;
import dev.braid.run.training.OptimiserChoice;
import dev.braid.run.training.ScoredSamples;
import dev.braid.run.training.TrainedModel;
import dev.braid.run.training.TrainingChecks;
import dev.braid.run.training.TrainingJob;
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
 * @param isStream whether its samples come without end
 */
record Plan(Settings settings, WorkerConfig workers, ReportConfig report, boolean isStream) {

  static Plan ofDataSet(
      Settings settings, DataLocation.Contents contents, Holdout holdout, int epochs) {
    DataLocation location = contents.location();
    DataChecksums checksums = contents.checksums();
    Trained trained =
        Trained.of(
            settings, Optimizer.ofNetwork(), contents.shape(), contents.trainSamples(), epochs, 0);
    List<ModelTest> test =
        holdout.held() == 0
            ? List.of()
            : List.of(new ModelTest(trained.model(), location::openTest));
    String card = ModelCard.of(settings.network.model(), location, contents.shape()).toJson();
    return new Plan(
        settings,
        trained.workers(ScoredSamples.of(contents, holdout)),
        trained.report(
            Map.of("data", location.place(), "epochs", epochs),
            card,
            checksums.toString(),
            trained.model().model().guessingLoss(contents.classCounts()),
            test,
            EvaluatedSet.of(false, holdout.held() > 0)),
        false);
  }

  static Plan ofStream(Settings settings, Encoder<?> encoder, String data) {
    Shape shape = encoder.shape();
    ExchangeType exchange = settings.exchange.type();
    ExchangeOptions options = settings.exchangeOptions();
    new TrainingChecks(exchange, options, settings.batchSize).requireStream(settings.standardized);
    Optimizer usual =
        exchange.isSynchronous(options) ? Optimizer.adam(0.001) : Optimizer.momentum(0.01);
    if (settings.standardized && (shape.isImage() || shape.channels() > 1)) {
      throw new InvalidTrainingException(
          "standardized", "samples are images: divide the pixels in the encoder instead");
    }
    long samples = (long) settings.window * settings.workers * settings.batchSize;
    Trained trained =
        Trained.of(
            settings,
            usual,
            shape,
            (int) Math.min(Integer.MAX_VALUE, samples),
            Status.ENDLESS,
            settings.window);
    if (encoder.isWeighted()) {
      TrainingChecks.requireWeights(trained.model().model());
    }
    return new Plan(
        settings,
        trained.workers(ScoredSamples.none(shape)),
        trained.report(
            Map.of("data", data, EvaluatedSet.WINDOW_OPTION, settings.window),
            settings.standardized
                ? ModelCard.ofRows(settings.network.model(), data, shape).toJson()
                : "",
            new DataChecksums(0, 0).toString(),
            Double.NaN,
            List.of(),
            EvaluatedSet.of(true, settings.holdout > 0)),
        true);
  }

  int servers() {
    return workers.options().dedicatedServers();
  }

  /**
   * Adds the training to a job.
   *
   * @param batches of all ranks
   */
  TrainingRun attach(SingleOutputStreamOperator<Batch> batches) {
    Configuration needed = new Configuration();
    // A barrier must not overtake what is in the loop.
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

  /** The model, with what makes it and what it is trained by. */
  private record Trained(
      Settings settings,
      OptimiserChoice choice,
      ExchangeOptions exchangeOptions,
      TrainedModel model,
      int samples,
      int epochs) {

    static Trained of(
        Settings settings, Optimizer usual, Shape shape, int samples, int epochs, int window) {
      ExchangeType exchange = settings.exchange.type();
      ExchangeOptions given = settings.exchangeOptions();
      OptimiserChoice choice =
          settings.optimizer.orElse(usual).choice(settings.network.model(), epochs);
      ModelSpec spec = choice.decaying(Models.of(settings.network.model(), shape, settings.seed));
      ExchangeOptions options =
          given.with(Compression.OPTION, choice.compression(exchange, given, spec));
      new TrainingChecks(exchange, options, settings.batchSize).requireRounds(spec, shape, samples);
      // An asynchronous server takes a step for each worker's gradient.
      boolean stepForEach = exchange.descriptor().hasServers() && !exchange.isSynchronous(options);
      TrainedModel model =
          new TrainedModel(
                  spec,
                  shape,
                  choice.optimiser(exchange, options, spec),
                  new EpochSteps(samples, settings.batchSize, window, stepForEach),
                  MathChoice.PORTABLE)
              .standardizing(
                  settings.standardized ? List.of(Range.ofLength(shape.features())) : List.of());
      return new Trained(settings, choice, options, model, samples, epochs);
    }

    WorkerConfig workers(WorkerConfig.TestSet scored) {
      return new WorkerConfig(
          settings.exchange.type(),
          exchangeOptions,
          EnvelopeSerializer.LONGEST_CHUNK,
          model,
          scored,
          new StoppingRule(Double.NaN, 0));
    }

    ReportConfig report(
        Map<String, Object> data,
        String card,
        String checksums,
        double guessingLoss,
        List<ModelTest> test,
        EvaluatedSet evaluated) {
      ExchangeType exchange = settings.exchange.type();
      ModelSpec spec = model.model();
      Map<String, Object> shown = settings.shown();
      shown.putAll(data);
      shown.put("updater", choice.updater(spec).title());
      shown.put("learning-rate", choice.updater(spec).learningRate());
      return new ReportConfig(
          Json.write(shown),
          "",
          settings.place(),
          card,
          samples,
          checksums,
          epochs,
          guessingLoss,
          System.currentTimeMillis(),
          false,
          exchange.isSynchronous(exchangeOptions) || exchange.descriptor().hasServers(),
          false,
          new Deeplearning4jFormat(spec, choice.updater(spec), model.standardized()),
          new RunExchange(exchange, exchangeOptions, model.length()),
          new float[0][],
          test,
          evaluated);
    }
  }
}
