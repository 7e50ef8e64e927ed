package dev.braid.api;

import dev.braid.api.flow.Flow;
import dev.braid.api.flow.FlowConfig;
import dev.braid.api.sample.Encoder;
import dev.braid.api.score.PublishedModels;
import dev.braid.connectors.DataLocation;
import dev.braid.connectors.lineage.Lineage;
import dev.braid.connectors.lineage.RecordedRun;
import dev.braid.connectors.source.Holdout;
import dev.braid.connectors.source.SampleSource;
import dev.braid.connectors.stream.RecordedBatches;
import dev.braid.connectors.stream.StreamConfig;
import dev.braid.connectors.stream.StreamSource;
import dev.braid.connectors.topic.StreamTopic;
import dev.braid.exchange.registry.ChosenExchange;
import dev.braid.run.training.InvalidTrainingException;
import dev.braid.run.training.Recomputation;
import dev.braid.run.training.TrainingJob;
import dev.braid.worker.LocalTraining;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * A training with its settings, which can be added to jobs. Instances are immutable: each method
 * that sets something returns a new training.
 *
 * <p>A training needs a slot for each worker. Another task, the report, writes the model and its
 * history. With a synchronous exchange, a restart from a checkpoint does not change the weights,
 * bit for bit.
 */
@PublicEvolving
public final class Training {

  private final Settings settings;

  Training(Settings settings) {
    this.settings = settings;
  }

  /** Sets the number of workers, each of which has a replica of the model; 2 by default. */
  public Training workers(int number) {
    return with(it -> it.workers = number);
  }

  /**
   * Sets how workers share gradients; {@code ring} by default.
   *
   * @param text name of the exchange, followed by its options: {@code ring}, {@code
   *     ring:compress=threshold:0.1%}, {@code ako:partitions=4}
   * @throws InvalidTrainingException if there is no such exchange or option
   */
  public Training exchange(String text) {
    try {
      ChosenExchange exchange = ChosenExchange.of(text);
      return with(it -> it.exchange = exchange);
    } catch (IllegalArgumentException e) {
      throw new InvalidTrainingException("exchange", text + ": " + e.getMessage());
    }
  }

  /**
   * Sets the optimizer. By default, the optimizer of the network; for streams, Adam with a learning
   * rate of 0.001, or momentum with 0.01 if the exchange is asynchronous.
   */
  public Training optimizer(Optimizer optimizer) {
    return with(it -> it.optimizer = Optional.of(optimizer));
  }

  /** Sets the number of samples in a worker's gradient; 100 by default. */
  public Training batchSize(int samples) {
    return with(it -> it.batchSize = samples);
  }

  /** Sets the seed of the initial weights and of the order of a data set; 1 by default. */
  public Training seed(long seed) {
    return with(it -> it.seed = seed);
  }

  /** Sets the longest time that a record of a stream waits for a full batch; 200 ms by default. */
  public Training maxBatchWait(Duration longest) {
    return with(it -> it.maxBatchWait = longest);
  }

  /** Sets the number of rounds of a stream in a window of figures; 1,000 by default. */
  public Training window(int rounds) {
    return with(it -> it.window = rounds);
  }

  /**
   * Sets the share of the samples that is held out of training and only scored; 0 by default. With
   * 0, samples of a stream are scored before the training on them.
   */
  public Training holdout(double share) {
    return with(it -> it.holdout = share);
  }

  /**
   * Standardizes the features of a stream by their mean and standard deviation over earlier rounds.
   * Both follow the stream and are part of the state. At the end, {@code model.json}, next to the
   * model, contains them. Images and data sets are refused: columns of data sets have scales of
   * their own.
   */
  public Training standardized() {
    return with(it -> it.standardized = true);
  }

  /**
   * Sets the folder for the model, its history and the lineage of a topic. Earlier results in the
   * folder are moved to its subfolder {@code earlier}.
   *
   * @param folder on any file system that Flink supports on the cluster's machines
   */
  public Training results(String folder) {
    return with(it -> it.results(folder));
  }

  /**
   * Publishes versions of the model during training. A version is the model at the end of an epoch
   * or a window; it is published when a checkpoint that contains it is complete. The next version
   * follows after the given time, and another one at the end of the training.
   *
   * @param models registry of the versions, such as {@code
   *     PublishedModels.at("s3://bucket/models")}
   * @param every shortest time between two versions
   */
  public Training publish(PublishedModels models, Duration every) {
    return with(it -> it.publish(models, every));
  }

  private Training with(Consumer<Settings> change) {
    return new Training(settings.with(change));
  }

  // ---- trainings -------------------------------------------------------------------------------

  /**
   * Adds the training on a data set to a job.
   *
   * @param epochs number of passes over the data set, at least 1
   * @throws InvalidTrainingException if a setting is invalid, or does not apply to the other
   *     settings
   * @throws dev.braid.connectors.file.InvalidDataException if the data cannot be read
   * @throws dev.braid.learner.InvalidModelException if the network cannot be read, or does not fit
   *     the data
   */
  public TrainingRun fit(StreamExecutionEnvironment env, DataSet data, int epochs) {
    if (epochs < 1) {
      throw new InvalidTrainingException("epochs", epochs + ": must be 1 or more");
    }
    if (settings.standardized) {
      throw new InvalidTrainingException(
          "standardized",
          "features of a data set: only features of a stream can have running statistics");
    }
    DataLocation.Contents found = data.location().check();
    int held = (int) Math.round(settings.holdout * found.train().samples());
    Holdout holdout =
        held == 0
            ? Holdout.none(found.train().samples())
            : new Holdout(found.train().samples(), held, settings.seed);
    DataLocation.Contents contents = found.withTrainSamples(holdout.training());
    if (contents.train().samples() < settings.workers) {
      throw new InvalidTrainingException(
          "workers",
          "%d: the data has %d training samples, and each worker needs one"
              .formatted(settings.workers, contents.train().samples()));
    }
    Plan plan = Plan.ofDataSet(settings, contents, holdout, epochs);
    SampleSource samples =
        new SampleSource(
                contents.location(),
                contents.train().samples(),
                settings.seed,
                epochs,
                settings.batchSize,
                plan.servers())
            .without(holdout)
            .checked(contents.checksums(), false);
    return plan.attach(TrainingJob.source(env, samples, plan.workers(), settings.workers));
  }

  /**
   * Adds the training on a topic to a job. It has no end unless the samples have one. The offsets
   * of each round are recorded in the lineage before a worker receives them. Therefore each offset
   * is used exactly once, and the model after any round can be recomputed.
   *
   * @throws InvalidTrainingException if a setting is invalid, or does not apply to a topic
   * @throws dev.braid.learner.InvalidModelException if the network cannot be read, or does not fit
   *     the samples
   */
  public TrainingRun fitContinuously(StreamExecutionEnvironment env, TopicSamples<?> samples) {
    Plan plan = planOf(samples);
    StreamSource source = new StreamSource(config(samples, plan));
    return plan.attach(TrainingJob.source(env, source, plan.workers(), settings.workers));
  }

  private Plan planOf(TopicSamples<?> samples) {
    StreamTopic topic = samples.topic();
    return Plan.ofStream(
        settings,
        samples.encoder(),
        topic.toString(),
        settings.publishing(topic.place(), lineage(samples), List.of(topic)));
  }

  private StreamConfig config(TopicSamples<?> samples, Plan plan) {
    return new StreamConfig(
        samples.topic(),
        samples.form(settings.holdout),
        new StreamConfig.Section(samples.begin(), samples.end().orElse(null), samples.skipsLost()),
        new StreamConfig.Batches(settings.batchSize, plan.servers(), settings.maxBatchWait),
        new StreamConfig.Windows(settings.window, StreamConfig.ENDLESS),
        lineage(samples),
        settings.seed,
        "");
  }

  private String lineage(TopicSamples<?> samples) {
    return samples.lineage().orElseGet(settings::lineage);
  }

  private RecordedRun recorded(TopicSamples<?> samples) throws IOException {
    try (Lineage lineage = Lineage.open(lineage(samples), samples.topic())) {
      return RecordedRun.read(lineage);
    }
  }

  /**
   * Repeats a training by {@link #fitContinuously} in this thread, from the topic and the lineage.
   * With the same settings, the weights have the same bits.
   *
   * @param samples samples of the original run; the topic must still have the records
   * @throws java.io.IOException if the lineage cannot be read
   * @throws InvalidTrainingException if the exchange is asynchronous
   */
  public Replayed replay(TopicSamples<?> samples) throws IOException, InterruptedException {
    Plan plan = planOf(samples);
    if (!settings.exchange.type().isSynchronous(plan.workers().options())) {
      throw new InvalidTrainingException(
          "exchange",
          settings.exchange
              + ": its exchange is asynchronous, so that no other run gives the same bits");
    }
    RecordedRun run = recorded(samples);
    if (run.rounds() == 0) {
      return new Replayed(0, "", 0, OptionalLong.empty());
    }
    try (Recomputation recomputation =
        new Recomputation(
            run,
            LocalTraining.begin(plan.workers(), run.deals().get(0).workers()),
            new RecordedBatches(config(samples, plan), List.of()))) {
      long last = run.digests().isEmpty() ? run.rounds() : run.digests().lastKey();
      Recomputation.Comparison found = recomputation.run(last, round -> {});
      return new Replayed(
          recomputation.rounds(),
          recomputation.digest(),
          found.compared(),
          found.firstDifference().stream().mapToLong(Long::longValue).findFirst());
    }
  }

  /**
   * Adds the training on a stream from any source to a job. It ends when the stream ends. Each
   * record is used exactly once. Two runs have different batches and therefore different bits, as
   * the records have no positions from which they could be read again.
   *
   * @throws InvalidTrainingException if a setting is invalid, or does not apply to a stream
   * @throws dev.braid.learner.InvalidModelException if the network cannot be read, or does not fit
   *     the samples
   */
  public <T> StreamRun<T> train(DataStream<T> stream, Encoder<T> encoder) {
    String name = stream.getTransformation().getName();
    Plan plan = Plan.ofStream(settings, encoder, name, settings.publishing(name, "", List.of()));
    Flow<T> flow =
        Flow.of(
            stream,
            encoder,
            new FlowConfig(
                settings.batchSize,
                settings.window,
                settings.maxBatchWait.toMillis(),
                settings.holdout,
                plan.servers()),
            settings.ranks());
    return new StreamRun<>(plan.attach(flow.batches()), flow.refused());
  }
}
