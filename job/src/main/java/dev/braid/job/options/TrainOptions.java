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
 * What a user can ask of a training run.
 *
 * @param bounds how many workers there are
 * @param exchange how they share gradients
 * @param exchangeOptions what is chosen of that
 * @param model a preset's name, or a file
 * @param data where the samples are
 * @param stream the topic that they come from, if they come from one
 * @param epochs passes over the data, at most
 * @param targetAccuracy the share of the test set, from 0 to 1, that is enough
 * @param batch samples of a gradient, per worker; {@link SampleSource#ALL} for all of its share
 * @param updater the optimiser; none given: the model's own, momentum for a preset
 * @param learningRate none given: the optimiser's usual
 * @param learning what becomes of the rate and of large gradients, and when to give up
 * @param math with which kernels workers compute
 * @param seed decides the first weights and the order of the samples
 * @param checkpointDir none given: a folder in {@code out}, or what the cluster has
 * @param restore a checkpoint or savepoint to go on from; {@link #LATEST} for the newest that fits
 * @param otherData whether it may be one of other samples than are there now
 * @param out the folder of the model and the history
 * @param webPort none given: the first that is free, from 8081
 * @param chaos how the run is to be disturbed
 * @param linkShape the network that links are to be like; none given: as they are
 * @param publish where versions of the model are published, if they are
 * @param given which options that have other defaults for tables the user has given
 */
public record TrainOptions(
    WorkerBounds bounds,
    ExchangeType exchange,
    ExchangeOptions exchangeOptions,
    String model,
    DataLocation data,
    Optional<Stream> stream,
    int epochs,
    OptionalDouble targetAccuracy,
    int batch,
    Optional<String> updater,
    OptionalDouble learningRate,
    LearningOptions learning,
    MathChoice math,
    long seed,
    Optional<String> checkpointDir,
    Duration checkpointInterval,
    Optional<String> restore,
    boolean otherData,
    StateBackend stateBackend,
    String out,
    OptionalInt webPort,
    Optional<ChaosOptions> chaos,
    Optional<LinkShape> linkShape,
    Optional<Publish> publish,
    Given given) {

  /**
   * Options that have other defaults where the data is a table: whether the user has given each of
   * them.
   */
  public record Given(boolean epochs, boolean batch, boolean standardize) {

    /** All of them are given: no default takes the place of one. */
    public static final Given ALL = new Given(true, true, true);
  }

  /**
   * Samples from a topic.
   *
   * @param topic the topic, and how to reach it
   * @param settings how it is read
   */
  public record Stream(StreamTopic topic, TopicSettings settings) {

    /** Returns how records become samples. */
    public RecordForm form() {
      return settings.form();
    }
  }

  /**
   * Versions of the model.
   *
   * @param registry where they are published
   * @param pace how much lies between two versions
   * @param typedPace as it was typed
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

  /** In the place of a number of samples: all of a worker's share. */
  static final String FULL_BATCH = "all";

  /** In the place of a checkpoint. */
  public static final String LATEST = "latest";

  /** Returns whether samples are of a topic, and count differently. */
  public boolean isWeighted() {
    return stream.filter(it -> it.form().isWeighted()).isPresent();
  }

  /** Returns which of a sample's numbers are standardized by running statistics. */
  public List<Range> standardized() {
    return stream.map(it -> it.settings().standardized()).orElse(List.of());
  }

  /** Whether the checkpoint to go on from is to be looked for. */
  public boolean restoresLatest() {
    return restore.filter(LATEST::equals).isPresent();
  }

  /** The same run from this checkpoint. */
  public TrainOptions withRestore(String checkpoint) {
    return with(checkpointDir, Optional.of(checkpoint));
  }

  /** The same run with its checkpoints here. */
  public TrainOptions withCheckpointDir(String place) {
    return with(Optional.of(place), restore);
  }

  /**
   * The same where it is known how many samples there are to train with: exchanges count a full
   * gradient's.
   */
  public TrainOptions withSamples(int samples) {
    return isFullBatch()
        ? withExchangeOptions(exchangeOptions.withBatch(-Math.floorDiv(-samples, workers())))
        : this;
  }

  /** Returns this run with these options of its exchange. */
  public TrainOptions withExchangeOptions(ExchangeOptions itsOptions) {
    return with(itsOptions, checkpointDir, restore);
  }

  /** Whether a worker's gradient is of all samples of its share. */
  public boolean isFullBatch() {
    return batch == SampleSource.ALL;
  }

  /** The batch as it is typed. */
  public String typedBatch() {
    return typedBatch(batch);
  }

  static String typedBatch(int batch) {
    return batch == SampleSource.ALL ? FULL_BATCH : String.valueOf(batch);
  }

  /** Returns this run on other data. */
  public TrainOptions withData(DataLocation itsData) {
    return with(
        itsData, epochs, batch, updater, learningRate, exchangeOptions, checkpointDir, restore);
  }

  /** Returns this run with so many epochs, and gradients of so many samples. */
  public TrainOptions withPace(int itsEpochs, int itsBatch) {
    return with(
        data,
        itsEpochs,
        itsBatch,
        updater,
        learningRate,
        exchangeOptions.withBatch(itsBatch),
        checkpointDir,
        restore);
  }

  /** Returns this run with another optimiser. */
  public TrainOptions withUpdater(String name, double rate) {
    return with(
        data,
        epochs,
        batch,
        Optional.of(name),
        OptionalDouble.of(rate),
        exchangeOptions,
        checkpointDir,
        restore);
  }

  private TrainOptions with(Optional<String> itsCheckpointDir, Optional<String> itsRestore) {
    return with(exchangeOptions, itsCheckpointDir, itsRestore);
  }

  private TrainOptions with(
      ExchangeOptions itsExchangeOptions,
      Optional<String> itsCheckpointDir,
      Optional<String> itsRestore) {
    return with(
        data,
        epochs,
        batch,
        updater,
        learningRate,
        itsExchangeOptions,
        itsCheckpointDir,
        itsRestore);
  }

  private TrainOptions with(
      DataLocation itsData,
      int itsEpochs,
      int itsBatch,
      Optional<String> itsUpdater,
      OptionalDouble itsLearningRate,
      ExchangeOptions itsExchangeOptions,
      Optional<String> itsCheckpointDir,
      Optional<String> itsRestore) {
    return new TrainOptions(
        bounds,
        exchange,
        itsExchangeOptions,
        model,
        itsData,
        stream,
        itsEpochs,
        targetAccuracy,
        itsBatch,
        itsUpdater,
        itsLearningRate,
        learning,
        math,
        seed,
        itsCheckpointDir,
        checkpointInterval,
        itsRestore,
        otherData,
        stateBackend,
        out,
        webPort,
        chaos,
        linkShape,
        publish,
        given);
  }

  /** Returns the settings of the optimiser. */
  public OptimiserChoice optimiserChoice() {
    return new OptimiserChoice(
        model,
        updater,
        learningRate,
        learning.schedule(epochs),
        learning.clipNorm(),
        learning.clipValue(),
        learning.weightDecay());
  }

  /** Returns what the exchange needs of the model and the samples. */
  public TrainingChecks checks() {
    return new TrainingChecks(exchange, exchangeOptions, batch);
  }

  /** When training may stop before its last epoch. */
  public StoppingRule stopping() {
    double target =
        learning.targetLoss().isPresent()
            ? -learning.targetLoss().getAsDouble()
            : targetAccuracy.orElse(Double.NaN);
    return new StoppingRule(target, learning.patience().orElse(0));
  }

  /** Model replicas, each in a slot of its own; where Flink has fewer slots, there may be fewer. */
  public int workers() {
    return bounds.most();
  }

  /** How many ranks serve and compute nothing. */
  public int servers() {
    return exchangeOptions.dedicatedServers();
  }

  /** Workers and servers, each in a slot of its own. */
  public int ranks() {
    return workers() + servers();
  }

  /** With how few ranks a run goes on where a cluster has lost slots: all servers are needed. */
  public int fewestRanks() {
    return bounds.atLeast() + servers();
  }

  /** How many slots a run needs to begin: where bounds are given, the fewest will do. */
  public int slotsToBegin() {
    return bounds.fewest().isPresent() ? fewestRanks() : ranks();
  }

  /** Whether workers wait for each other, and end with the same model. */
  public boolean isSynchronous() {
    return exchange.isSynchronous(exchangeOptions);
  }

  /** Where the ledger's pages are kept. */
  public enum StateBackend {
    HASHMAP,
    ROCKSDB;

    /** The name that users and Flink call it by. */
    public String title() {
      return this == HASHMAP ? "hashmap" : "rocksdb";
    }
  }

  /**
   * The options as a JSON object, by the names of the command line, without those not given.
   *
   * @param chosen the optimiser that the run has, which may be the model's own
   * @param length the model's parameters, on which what an exchange does may depend
   * @param validation the share of the training samples that is held out
   */
  public String toJson(UpdaterSpec chosen, int length, double validation) {
    Map<String, Object> json = new LinkedHashMap<>();
    if (bounds.fewest().isPresent()) {
      json.put("workers", bounds.typed());
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
    DataSettings.put(json, data);
    if (epochs != Status.ENDLESS) {
      json.put("epochs", epochs);
    }
    targetAccuracy.ifPresent(value -> json.put("target-accuracy", value));
    if (isFullBatch()) {
      json.put("batch", FULL_BATCH);
    } else {
      json.put("batch", batch);
    }
    json.put("updater", chosen.title());
    json.put("learning-rate", chosen.learningRate());
    learning.put(json);
    if (validation > 0) {
      json.put(EvaluatedSet.VALIDATION_OPTION, validation);
    }
    stream.ifPresent(it -> json.put(EvaluatedSet.WINDOW_OPTION, it.settings().window()));
    if (math != MathChoice.PORTABLE) {
      json.put("math", math.title());
    }
    json.put("seed", seed);
    checkpointDir.ifPresent(value -> json.put("checkpoint-dir", value));
    json.put("checkpoint-interval", Typed.time(checkpointInterval));
    restore.ifPresent(value -> json.put("restore", value));
    if (otherData) {
      json.put("other-data", true);
    }
    json.put("state-backend", stateBackend.title());
    json.put("out", out);
    publish.ifPresent(
        it -> {
          json.put("publish", it.registry().name());
          json.put("publish-every", it.typedPace());
        });
    chaos.ifPresent(value -> value.put(json));
    linkShape.ifPresent(value -> LinkFlags.put(json, value));
    return Json.write(json);
  }
}
