package dev.braid.job;

import dev.braid.chaos.ChaosConfig;
import dev.braid.connectors.DataLocation;
import dev.braid.connectors.InvalidDataException;
import dev.braid.connectors.SampleSource;
import dev.braid.exchange.ExchangeType;
import dev.braid.job.report.Report;
import dev.braid.job.report.ReportConfig;
import dev.braid.learner.InvalidModelException;
import dev.braid.learner.ModelSpec;
import dev.braid.learner.UpdaterSpec;
import dev.braid.ledger.Ledger;
import dev.braid.worker.WorkerConfig;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * A run that has been checked: options that make sense, data that can be read, a model that fits.
 */
final class RunPlan {

  private final TrainOptions options;
  private final DataLocation.Contents contents;
  private final DataLocation data;
  private final ModelSpec model;
  private final UpdaterSpec updater;
  private final Optional<ChaosConfig> chaos;

  private RunPlan(
      TrainOptions options,
      DataLocation.Contents contents,
      ModelSpec model,
      UpdaterSpec updater,
      Optional<ChaosConfig> chaos) {
    this.options = options;
    this.contents = contents;
    this.model = model;
    this.updater = updater;
    this.chaos = chaos;
    // Classes and features as found, so that the workers need not look for them again.
    this.data =
        options
            .data()
            .withClasses(contents.shape().classes())
            .withFeatures(contents.shape().features());
  }

  /**
   * Checks the data, the model, and whether a checkpoint fits them; numbers and places have been
   * checked.
   *
   * @throws UsageException for the first mistake
   */
  static RunPlan of(TrainOptions options) {
    DataLocation.Contents contents = contents(options);
    Validation.checkSamples(options, contents.trainSamples());
    try {
      ModelSpec model = ModelSpec.of(options.model(), contents.shape(), options.seed());
      UpdaterSpec updater = updater(options, model);
      checkUpdater(options, updater);
      RunPlan plan =
          new RunPlan(
              options,
              contents,
              model,
              updater,
              options.chaos().map(wanted -> ChaosPlan.of(wanted, options)));
      RestoreCheck.check(options, plan.samples(), contents.trainSamples(), plan.trained());
      return plan;
    } catch (InvalidModelException e) {
      throw new UsageException("--" + e.getMessage(), e);
    }
  }

  /** Adds the whole job. */
  void build(StreamExecutionEnvironment env) {
    env.setParallelism(options.workers());
    WorkerConfig workers =
        new WorkerConfig(
            options.exchange(),
            options.exchangeOptions(),
            FlinkSettings.chunkLength(env.getConfiguration()),
            trained(),
            data::openTest,
            options.targetAccuracy().orElse(Double.NaN));
    TrainingJob.Outputs outputs =
        TrainingJob.assemble(
            env, samples(), workers, options.workers(), chaos, options.linkShape());
    Report.attach(
        outputs.progress(),
        outputs.evaluated(),
        outputs.finished(),
        outputs.model(),
        Ledger.attach(outputs.usage()),
        reportConfig(),
        options.workers());
  }

  private SampleSource samples() {
    return new SampleSource(
        data,
        contents.trainSamples(),
        options.seed(),
        options.epochs(),
        options.batch(),
        options.servers());
  }

  private TrainedModel trained() {
    return new TrainedModel(model, contents.shape(), updater);
  }

  /** What the run is, in a line. */
  String describe() {
    return String.format(
        Locale.ROOT,
        "%s on %s (%,d samples, %,d to test), %d workers, %s, batch %d, %s, seed %d",
        options.model(),
        options.data().place(),
        contents.trainSamples(),
        contents.testSamples(),
        options.workers(),
        describeExchange(),
        options.batch(),
        describe(updater),
        options.seed());
  }

  private String describeExchange() {
    String exchange = options.exchange().title() + " exchange";
    if (options.exchange() != ExchangeType.PS) {
      return exchange;
    }
    String consistency = options.exchangeOptions().servers().consistency().title();
    String servers =
        options.servers() == 0 ? "a server at each" : options.servers() + " servers besides";
    return exchange + " (" + consistency + ", " + servers + ")";
  }

  TrainOptions options() {
    return options;
  }

  /** The options, as the history has them. */
  String optionsJson() {
    return options.toJson(updater);
  }

  /** How the run is to be disturbed, if it is. */
  Optional<ChaosConfig> chaos() {
    return chaos;
  }

  private ReportConfig reportConfig() {
    return new ReportConfig(
        optionsJson(),
        options.out(),
        contents.trainSamples(),
        options.epochs(),
        // Parameter servers end with the same model at all, however they came to it.
        options.isSynchronous() || options.exchange() == ExchangeType.PS,
        new Deeplearning4jFormat(model, updater));
  }

  private static DataLocation.Contents contents(TrainOptions options) {
    try {
      return options.data().check();
    } catch (InvalidDataException e) {
      throw new UsageException("--data: " + e.getMessage(), e);
    }
  }

  /**
   * Adam's steps are as long for a small gradient as for a large one: where each worker's gradient
   * makes a step of its own, or each part of it, they would add up to many times the learning rate.
   */
  private static void checkUpdater(TrainOptions options, UpdaterSpec updater) {
    if (!options.isSynchronous() && updater instanceof UpdaterSpec.Adam) {
      throw new UsageException(
          "--updater adam: with --exchange "
              + options.exchange().title()
              + " gradients are applied one by one, and Adam's steps would not add up; sgd or"
              + " momentum is needed");
    }
  }

  /** The one asked for; else the model's own, which for a preset is Braid's default. */
  private static UpdaterSpec updater(TrainOptions options, ModelSpec model) {
    boolean preset = model.weights().length == 0 && Updaters.isPreset(options.model());
    if (options.updater().isEmpty() && !preset && options.learningRate().isEmpty()) {
      return model.updater();
    }
    String name =
        options.updater().orElse(preset ? Updaters.DEFAULT : Updaters.nameOf(model.updater()));
    double rate = options.learningRate().orElse(Updaters.learningRate(name));
    return UpdaterSpec.of(name, OptionalDouble.of(rate));
  }

  private static String describe(UpdaterSpec updater) {
    return Updaters.nameOf(updater) + " " + updater.learningRate();
  }
}
