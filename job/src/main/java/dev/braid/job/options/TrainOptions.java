package dev.braid.job.options;

import dev.braid.chaos.shape.LinkShape;
import dev.braid.connectors.DataLocation;
import dev.braid.connectors.record.RecordForm;
import dev.braid.connectors.registry.RegistryPlace;
import dev.braid.connectors.source.SampleSource;
import dev.braid.connectors.topic.StreamTopic;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.option.TypedTime;
import dev.braid.exchange.registry.ChosenExchange;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.job.config.DataSettings;
import dev.braid.job.config.TopicSettings;
import dev.braid.job.console.Typed;
import dev.braid.job.console.UsageException;
import dev.braid.learner.math.MathChoice;
import dev.braid.learner.optimiser.UpdaterSpec;
import dev.braid.loop.coordinator.StoppingRule;
import dev.braid.run.report.reported.PendingVersions;
import dev.braid.run.result.EvaluatedSet;
import dev.braid.run.result.Json;
import dev.braid.run.result.Status;
import dev.braid.run.training.OptimiserChoice;
import dev.braid.run.training.TrainingChecks;
import dev.braid.vector.Range;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * The options of a training run.
 *
 * @param model name of a preset, or a file
 * @param given which options with other defaults for tables the user has given
 */
public record TrainOptions(
    String model,
    Samples samples,
    Sharing sharing,
    Learning learning,
    Recovery recovery,
    Faults faults,
    Results results,
    Given given) {

  /**
   * The samples.
   *
   * @param location place and format of the samples
   * @param stream topic of the samples; empty if they do not come from a topic
   */
  public record Samples(DataLocation location, Optional<Stream> stream) {}

  /**
   * The workers, and how they share gradients.
   *
   * @param bounds number of workers
   * @param exchange algorithm by which workers share gradients
   * @param options options of the exchange
   */
  public record Sharing(WorkerBounds bounds, ExchangeType exchange, ExchangeOptions options) {

    private Sharing with(ExchangeOptions others) {
      return new Sharing(bounds, exchange, others);
    }
  }

  /**
   * Gradients and steps.
   *
   * @param epochs maximum number of passes over the data
   * @param targetAccuracy test accuracy, from 0 to 1, at which training stops
   * @param batch samples of a gradient, per worker; {@link SampleSource#ALL} for all of its share
   * @param updater the optimiser; empty for the model's own, or momentum for a preset
   * @param learningRate empty for the optimiser's default
   * @param other schedule of the learning rate, limits of gradients and rules for an early end
   * @param math kernels with which workers compute
   * @param seed seed for the first weights and the order of the samples
   */
  public record Learning(
      int epochs,
      OptionalDouble targetAccuracy,
      int batch,
      Optional<String> updater,
      OptionalDouble learningRate,
      LearningOptions other,
      MathChoice math,
      long seed) {

    private Learning with(
        int itsEpochs, int itsBatch, Optional<String> itsUpdater, OptionalDouble itsRate) {
      return new Learning(
          itsEpochs, targetAccuracy, itsBatch, itsUpdater, itsRate, other, math, seed);
    }
  }

  /**
   * Checkpoints.
   *
   * @param checkpointDir empty for a folder in {@code out}, or the cluster's own
   * @param restore checkpoint or savepoint to resume from; {@link TrainOptions#LATEST} for the
   *     newest that fits
   * @param otherData whether the checkpoint may be of other samples than the current ones
   */
  public record Recovery(
      Optional<String> checkpointDir,
      Duration checkpointInterval,
      Optional<String> restore,
      boolean otherData,
      StateBackend stateBackend) {

    private Recovery with(Optional<String> itsCheckpointDir, Optional<String> itsRestore) {
      return new Recovery(
          itsCheckpointDir, checkpointInterval, itsRestore, otherData, stateBackend);
    }
  }

  /**
   * Emulated conditions of links and workers.
   *
   * @param chaos source of chaos events
   * @param linkShape emulated network; empty for the links as they are
   */
  public record Faults(Optional<ChaosOptions> chaos, Optional<LinkShape> linkShape) {}

  /**
   * Results, and where they are shown.
   *
   * @param out folder of the model and the history
   * @param webPort empty for the first free port from 8081
   * @param publish registry for versions of the model; empty to publish none
   */
  public record Results(String out, OptionalInt webPort, Optional<Publish> publish) {}

  /** Options that have other defaults for tables, and whether the user has given each of them. */
  public record Given(boolean epochs, boolean batch, boolean standardize) {

    /** All of them are given, so that no default applies. */
    public static final Given ALL = new Given(true, true, true);
  }

  /**
   * Samples from a topic.
   *
   * @param topic name and brokers of the topic
   * @param settings which records are read, and how
   */
  public record Stream(StreamTopic topic, TopicSettings settings) {

    /** Returns the form of records, by which they become samples. */
    public RecordForm form() {
      return settings.form();
    }
  }

  /**
   * Publication of versions of the model.
   *
   * @param registry where they are published
   * @param pace least distance between two versions
   * @param typedPace the pace, as typed
   */
  public record Publish(RegistryPlace registry, PendingVersions.Pace pace, String typedPace) {

    static Publish of(String registry, String every, KafkaFlags kafka) {
      return new Publish(kafka.registry("--publish", registry), pace(every), every);
    }

    @Override
    public String toString() {
      return "versions in %s, each %s".formatted(registry, typedPace);
    }

    private static PendingVersions.Pace pace(String every) {
      if (every.matches("[1-9][0-9]{0,17}")) {
        return new PendingVersions.Pace(Long.parseLong(every), 0);
      }
      try {
        return new PendingVersions.Pace(0, TypedTime.read(every).toMillis());
      } catch (IllegalArgumentException e) {
        throw new UsageException(
            ("--publish-every %s: must be a time, such as 10min, or a number of rounds, 1 "
                    + "or more")
                .formatted(every),
            e);
      }
    }
  }

  /** Value of a number of samples that means all of a worker's share. */
  static final String FULL_BATCH = "all";

  /** Value of a checkpoint that means the newest that fits. */
  public static final String LATEST = "latest";

  /** Returns whether samples come from a topic and have weights. */
  public boolean isWeighted() {
    return samples.stream().filter(it -> it.form().isWeighted()).isPresent();
  }

  /** Returns the ranges of a sample's numbers that are standardized by running statistics. */
  public List<Range> standardized() {
    return samples.stream().map(it -> it.settings().standardized()).orElse(List.of());
  }

  /** Returns whether the checkpoint to resume from must be searched for. */
  public boolean restoresLatest() {
    return recovery.restore().filter(LATEST::equals).isPresent();
  }

  /** Returns this run, resumed from a checkpoint. */
  public TrainOptions withRestore(String checkpoint) {
    return with(
        samples,
        sharing,
        learning,
        recovery.with(recovery.checkpointDir(), Optional.of(checkpoint)));
  }

  /** Returns this run with another place for its checkpoints. */
  public TrainOptions withCheckpointDir(String place) {
    return with(samples, sharing, learning, recovery.with(Optional.of(place), recovery.restore()));
  }

  /**
   * Returns this run with the number of training samples known, from which exchanges derive the
   * batch of a full gradient.
   */
  public TrainOptions withSamples(int count) {
    return isFullBatch()
        ? withExchangeOptions(sharing.options().withBatch(-Math.floorDiv(-count, workers())))
        : this;
  }

  /** Returns this run with other options of its exchange. */
  public TrainOptions withExchangeOptions(ExchangeOptions itsOptions) {
    return with(samples, sharing.with(itsOptions), learning, recovery);
  }

  /** Returns whether a worker's gradient is of all samples of its share. */
  public boolean isFullBatch() {
    return learning.batch() == SampleSource.ALL;
  }

  /** Returns the batch as typed. */
  public String typedBatch() {
    return isFullBatch() ? FULL_BATCH : String.valueOf(learning.batch());
  }

  /** Returns this run on other data. */
  public TrainOptions withData(DataLocation itsData) {
    return with(new Samples(itsData, samples.stream()), sharing, learning, recovery);
  }

  /** Returns this run with another number of epochs and of samples per gradient. */
  public TrainOptions withPace(int itsEpochs, int itsBatch) {
    return with(
        samples,
        sharing.with(sharing.options().withBatch(itsBatch)),
        learning.with(itsEpochs, itsBatch, learning.updater(), learning.learningRate()),
        recovery);
  }

  /** Returns this run with another optimiser. */
  public TrainOptions withUpdater(String name, double rate) {
    return with(
        samples,
        sharing,
        learning.with(
            learning.epochs(), learning.batch(), Optional.of(name), OptionalDouble.of(rate)),
        recovery);
  }

  private TrainOptions with(
      Samples itsSamples, Sharing itsSharing, Learning itsLearning, Recovery itsRecovery) {
    return new TrainOptions(
        model, itsSamples, itsSharing, itsLearning, itsRecovery, faults, results, given);
  }

  /** Returns the settings of the optimiser. */
  public OptimiserChoice optimiserChoice() {
    return new OptimiserChoice(
        model,
        learning.updater(),
        learning.learningRate(),
        learning.other().schedule(learning.epochs()),
        learning.other().clip().norm(),
        learning.other().clip().value(),
        learning.other().weightDecay());
  }

  /** Returns the exchange's checks of the model and the samples. */
  public TrainingChecks checks() {
    return new TrainingChecks(sharing.exchange(), sharing.options(), learning.batch());
  }

  /** Returns the rule by which training may stop before its last epoch. */
  public StoppingRule stopping() {
    OptionalDouble targetLoss = learning.other().targetLoss();
    double target =
        targetLoss.isPresent()
            ? -targetLoss.getAsDouble()
            : learning.targetAccuracy().orElse(Double.NaN);
    return new StoppingRule(target, learning.other().patience().orElse(0));
  }

  /**
   * Returns the number of model replicas, each in its own slot. With fewer slots, Flink may run
   * fewer.
   */
  public int workers() {
    return sharing.bounds().most();
  }

  /** Returns the number of ranks that serve and compute no gradients. */
  public int servers() {
    return sharing.options().dedicatedServers();
  }

  /** Returns the number of workers and servers, each in its own slot. */
  public int ranks() {
    return workers() + servers();
  }

  /**
   * Returns the smallest number of ranks with which a run continues after a cluster has lost slots;
   * it includes all servers.
   */
  public int fewestRanks() {
    return sharing.bounds().atLeast() + servers();
  }

  /** Returns whether workers wait for each other and end with the same model. */
  public boolean isSynchronous() {
    return sharing.exchange().isSynchronous(sharing.options());
  }

  /** State backend for the ledger's pages. */
  public enum StateBackend {
    HASHMAP,
    ROCKSDB;

    /** Returns the backend's name in options and in Flink's configuration. */
    public String title() {
      return this == HASHMAP ? "hashmap" : "rocksdb";
    }
  }

  /**
   * Returns the options as a JSON object, by their names on the command line, without those not
   * given.
   *
   * @param chosen the optimiser of the run, which may be the model's own
   * @param length number of the model's parameters, which may affect the exchange
   * @param validation share of the training samples that is held out
   */
  public String toJson(UpdaterSpec chosen, int length, double validation) {
    ExchangeType exchange = sharing.exchange();
    ExchangeOptions exchangeOptions = sharing.options();
    Map<String, Object> json = new LinkedHashMap<>();
    if (sharing.bounds().fewest().isPresent()) {
      json.put("workers", sharing.bounds().typed());
    } else {
      json.put("workers", workers());
    }
    json.put("exchange", ChosenExchange.of(exchange, exchangeOptions).toString());
    exchange
        .descriptor()
        .describe(exchangeOptions, length)
        .filter(it -> !exchange.descriptor().describe(exchangeOptions).equals(Optional.of(it)))
        .ifPresent(it -> json.put("exchange-is", it));
    json.put("model", model);
    DataSettings.put(json, samples.location());
    if (learning.epochs() != Status.ENDLESS) {
      json.put("epochs", learning.epochs());
    }
    learning.targetAccuracy().ifPresent(value -> json.put("target-accuracy", value));
    if (isFullBatch()) {
      json.put("batch", FULL_BATCH);
    } else {
      json.put("batch", learning.batch());
    }
    json.put("updater", chosen.title());
    json.put("learning-rate", chosen.learningRate());
    learning.other().put(json);
    if (validation > 0) {
      json.put(EvaluatedSet.VALIDATION_OPTION, validation);
    }
    samples.stream().ifPresent(it -> json.put(EvaluatedSet.WINDOW_OPTION, it.settings().window()));
    if (learning.math() != MathChoice.PORTABLE) {
      json.put("math", learning.math().title());
    }
    json.put("seed", learning.seed());
    recovery.checkpointDir().ifPresent(value -> json.put("checkpoint-dir", value));
    json.put("checkpoint-interval", Typed.time(recovery.checkpointInterval()));
    recovery.restore().ifPresent(value -> json.put("restore", value));
    if (recovery.otherData()) {
      json.put("other-data", true);
    }
    json.put("state-backend", recovery.stateBackend().title());
    json.put("out", results.out());
    results
        .publish()
        .ifPresent(
            it -> {
              json.put("publish", it.registry().name());
              json.put("publish-every", it.typedPace());
            });
    faults.chaos().ifPresent(value -> value.put(json));
    faults.linkShape().ifPresent(value -> LinkFlags.put(json, value));
    return Json.write(json);
  }
}
