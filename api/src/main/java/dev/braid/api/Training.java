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
 * Adds trainings to jobs. Each method of a setting returns another training and leaves this one as
 * it is.
 *
 * <p>A training needs a slot for each worker; its report, which writes the model and its history,
 * is one task beside them. With a synchronous exchange, a restart from a checkpoint changes no bit
 * of the weights.
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
   * Sets how workers share gradients; a ring by default.
   *
   * @param text a name, with options behind it: {@code ring}, {@code ring:compress=threshold:0.1%},
   *     {@code ako:partitions=4}
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
   * Sets the optimizer. By default it is the network's own; for streams Adam with a learning rate
   * of 0.001, or momentum with 0.01 where the exchange is asynchronous.
   */
  public Training optimizer(Optimizer optimizer) {
    return with(it -> it.optimizer = Optional.of(optimizer));
  }

  /** Sets the number of samples of a worker's gradient; 100 by default. */
  public Training batchSize(int samples) {
    return with(it -> it.batchSize = samples);
  }

  /** Sets what first weights and the order of a data set are drawn from; 1 by default. */
  public Training seed(long seed) {
    return with(it -> it.seed = seed);
  }

  /** Sets how long a record of a stream waits until its batch is full; 200 ms by default. */
  public Training maxBatchWait(Duration longest) {
    return with(it -> it.maxBatchWait = longest);
  }

  /** Sets how many rounds of a stream make a window of figures; 1,000 by default. */
  public Training window(int rounds) {
    return with(it -> it.window = rounds);
  }

  /**
   * Sets which share of the samples is scored, and never trained on; none by default. Without it,
   * samples of a stream are scored before they are trained on.
   */
  public Training holdout(double share) {
    return with(it -> it.holdout = share);
  }

  /**
   * Standardizes the features of a stream by their mean and standard deviation over earlier rounds.
   * Both follow the stream and are part of the state. {@code model.json}, next to the model, has
   * them at the end. Images are refused, and so are data sets, whose columns have scales.
   */
  public Training standardized() {
    return with(it -> it.standardized = true);
  }

  /**
   * Sets the folder for the model, its history and the lineage of a topic. Earlier results in it
   * are put aside.
   *
   * @param folder on any file system of Flink that the cluster's machines have
   */
  public Training results(String folder) {
    return with(it -> it.results(folder));
  }

  /**
   * Publishes versions of the model while it is trained: the model at the end of an epoch or a
   * window, once a checkpoint that has it is complete. Another version is published when this time
   * has passed since the last one, and when the training ends.
   *
   * @param models where they are published, such as {@code
   *     PublishedModels.at("s3://bucket/models")}
   * @param every time between two versions
   */
  public Training publish(PublishedModels models, Duration every) {
    return with(it -> it.publish(models, every));
  }

  private Training with(Consumer<Settings> change) {
    return new Training(settings.with(change));
  }

  // ---- trainings -------------------------------------------------------------------------------

  /**
   * Adds a training on a data set, some passes over it.
   *
   * @param epochs number of passes, at least 1
   * @throws InvalidTrainingException if a setting is impossible, or means nothing beside the others
   * @throws dev.braid.connectors.file.InvalidDataException if the data cannot be read
   * @throws dev.braid.learner.InvalidModelException if the network cannot be read, or does not fit
   *     the data
   */
  public TrainingRun fit(StreamExecutionEnvironment env, DataSet data, int epochs) {
    if (epochs < 1) {
      throw new InvalidTrainingException("epochs", epochs + ": 1 or more is needed");
    }
    if (settings.standardized) {
      throw new InvalidTrainingException(
          "standardized", "features of a data set: only those of a stream have running statistics");
    }
    DataLocation.Contents found = data.location().check();
    int held = (int) Math.round(settings.holdout * found.trainSamples());
    Holdout holdout =
        held == 0
            ? Holdout.none(found.trainSamples())
            : new Holdout(found.trainSamples(), held, settings.seed);
    DataLocation.Contents contents = found.withTrainSamples(holdout.training());
    if (contents.trainSamples() < settings.workers) {
      throw new InvalidTrainingException(
          "workers",
          "%d: the data has %d training samples, and each worker needs one"
              .formatted(settings.workers, contents.trainSamples()));
    }
    Plan plan = Plan.ofDataSet(settings, contents, holdout, epochs);
    SampleSource samples =
        new SampleSource(
                contents.location(),
                contents.trainSamples(),
                settings.seed,
                epochs,
                settings.batchSize,
                plan.servers())
            .without(holdout)
            .checked(contents.checksums(), false);
    return plan.attach(TrainingJob.source(env, samples, plan.workers(), settings.workers));
  }

  /**
   * Adds a training on a topic, without end unless the samples have one. Every round's offsets are
   * recorded in the lineage before a worker sees them, so the model after any round can be
   * recomputed, and each offset is used exactly once.
   *
   * @throws InvalidTrainingException if a setting is impossible, or means nothing to a topic
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
        samples.begin(),
        samples.end().orElse(null),
        settings.batchSize,
        plan.servers(),
        settings.window,
        StreamConfig.ENDLESS,
        settings.maxBatchWait,
        samples.skipsLost(),
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
   * Recomputes what {@link #fitContinuously} has trained, from the topic and the lineage, in this
   * thread: with the same settings, to the same bits.
   *
   * @param samples those of the run; the topic must still have the records
   * @throws java.io.IOException if the lineage cannot be read
   * @throws InvalidTrainingException if the run's exchange is asynchronous
   */
  public Replayed replay(TopicSamples<?> samples) throws IOException, InterruptedException {
    Plan plan = planOf(samples);
    if (!settings.exchange.type().isSynchronous(plan.workers().options())) {
      throw new InvalidTrainingException(
          "exchange",
          settings.exchange + ": its runs are asynchronous, and none has the bits of another");
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
   * Adds a training on a stream, from any source, until the stream ends. Each record is used
   * exactly once. As records have no positions that could be read again, another run has other
   * batches, and other bits.
   *
   * @throws InvalidTrainingException if a setting is impossible, or means nothing to a stream
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
