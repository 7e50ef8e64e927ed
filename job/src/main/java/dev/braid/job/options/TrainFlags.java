package dev.braid.job.options;

import dev.braid.exchange.ExchangeOptions;
import dev.braid.job.config.RunFile;
import dev.braid.job.console.UsageException;
import dev.braid.learner.math.MathChoice;
import dev.braid.run.result.RunGoal;
import dev.braid.run.result.Status;
import dev.braid.run.training.UpdaterNames;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** The options of {@code braid train} as they are typed, in the groups in which help shows them. */
public final class TrainFlags {

  /** The options that most runs need, which help shows first. */
  public static final Set<String> COMMON =
      Set.of(
          RunFile.OPTION,
          "--data",
          "--regression",
          "--label",
          "--model",
          "--epochs",
          "--target-accuracy",
          "--batch",
          "--updater",
          "--learning-rate",
          "--validation",
          "--seed",
          "--workers",
          "--exchange",
          "--web-port",
          "--checkpoint-dir",
          "--restore",
          "--chaos-topic",
          "--out",
          "--page");

  @ArgGroup(
      order = 1,
      exclusive = false,
      validate = false,
      heading = "%nData, such as --data docs/example/flats.csv --regression%n")
  private final DataFlags data = new DataFlags();

  @ArgGroup(
      order = 2,
      exclusive = false,
      validate = false,
      heading = "%nModel, such as --model cnn%n")
  private final What what = new What();

  @ArgGroup(
      order = 3,
      exclusive = false,
      validate = false,
      heading = "%nLearning, such as --epochs 20 --updater adam --learning-rate 0.001%n")
  private final Learning learning = new Learning();

  @ArgGroup(
      order = 4,
      exclusive = false,
      validate = false,
      heading = "%nExchange, such as --exchange ako:partitions=4 --workers 8%n")
  private final SharingFlags sharing = new SharingFlags();

  @ArgGroup(
      order = 5,
      exclusive = false,
      validate = false,
      heading = "%nCluster, such as --web-port 8090%n")
  private final Cluster cluster = new Cluster();

  @ArgGroup(
      order = 6,
      exclusive = false,
      validate = false,
      heading = "%nCheckpoints, such as --restore latest%n")
  private final Recovery recovery = new Recovery();

  @ArgGroup(
      order = 7,
      exclusive = false,
      validate = false,
      heading = "%nChaos, such as --chaos-topic failures%n")
  private final Faults faults = new Faults();

  @ArgGroup(
      order = 8,
      exclusive = false,
      validate = false,
      heading = "%nKafka, such as --kafka-brokers broker1:9092,broker2:9092%n")
  private final KafkaFlags kafka = new KafkaFlags();

  @ArgGroup(
      order = 9,
      exclusive = false,
      validate = false,
      heading = "%nOutput, such as --out runs/1 --page%n")
  private final Results results = new Results();

  @Option(
      names = RunFile.OPTION,
      paramLabel = "FILE",
      description = {
        "Read options from a file, a line each, such as 'epochs: 20'; options on the command line"
            + " override it. Each run writes such a file, run.yaml, into its --out folder.",
        "Default: none"
      })
  void config(String file) {
    // It has been read before all others.
  }

  private Optional<String> planned = Optional.empty();

  private static final class What {
    @Option(
        names = "--model",
        paramLabel = "NAME|FILE",
        defaultValue = "mlp",
        description = {
          "A preset: logistic (one layer; with --regression, linear regression), mlp (one hidden layer of 512), cnn (10, 20 and 100 kernels, 200"
              + " neurons) or cnn-cifar (32, 64 and 256 kernels, 800 neurons). Or a file: a Deeplearning4j configuration (JSON), or a model"
              + " to train further: a saved one (zip), or one of PyTorch and others (ONNX).",
          "Default: ${DEFAULT-VALUE}"
        })
    private String model;
  }

  /** Failures, and a network that is slower than this one. */
  private static final class Faults {
    @ArgGroup(exclusive = false, validate = false)
    private final ChaosFlags chaos = new ChaosFlags();

    @ArgGroup(exclusive = false, validate = false)
    private final LinkFlags links = new LinkFlags();
  }

  private static final class Learning {
    @Option(
        names = "--epochs",
        paramLabel = "N",
        description = {
          "Passes over the data, at most.",
          "Default: 10; for a table and a preset, as many as use half a million samples, from 10 to 50"
        })
    private Integer epochs;

    @Option(
        names = "--target-accuracy",
        paramLabel = "SHARE",
        description = {
          "Stop after the epoch that reaches this test accuracy, from 0 to 1, say 0.98. If none"
              + " does, the exit code is 3.",
          "Default: use all epochs"
        })
    private Double targetAccuracy;

    @Option(
        names = "--batch",
        paramLabel = "N|all",
        converter = BatchConverter.class,
        description = {
          "Samples of a gradient, per worker; or all of its share, so that a round is the whole data set.",
          "Default: 100; for a table and a preset, a worker's part of a hundredth of the training rows, of 32"
              + " at least, and no more than 100"
        })
    private Integer batch;

    @Option(
        names = "--updater",
        paramLabel = "NAME",
        description = {
          "The optimiser: sgd, momentum (Nesterov's, 0.9), adam, amsgrad, rmsprop, or adamw, which is"
              + " adam with --weight-decay 0.01.",
          "Default: momentum; for a table and a preset adam, where the exchange can apply it and no"
              + " --learning-rate is given; for a model file, the one it brings"
        })
    private String updater;

    @Option(
        names = "--learning-rate",
        paramLabel = "RATE",
        description = {
          "For the mean gradient over all workers' samples.",
          "Default: 0.1, for adam, its relatives and rmsprop 0.001, for cnn and cnn-cifar with momentum 0.01; with --regression and momentum 0.01 for logistic, else 0.001; for a table and a preset, where no --updater is given, 0.001, and for logistic 0.01; for a model file, the one it"
              + " brings"
        })
    private Double learningRate;

    @Option(
        names = "--math",
        paramLabel = "NAME",
        defaultValue = "portable",
        description = {
          "portable: the same bits on every processor with AVX2; or fastest: on one with AVX-512 up"
              + " to twice as fast, with other bits.",
          "Default: ${DEFAULT-VALUE}"
        })
    private String math;

    @Option(
        names = "--seed",
        paramLabel = "N",
        defaultValue = "1",
        description = {
          "Decides the first weights and the order of the samples; the same seed gives the same"
              + " bits.",
          "Default: ${DEFAULT-VALUE}"
        })
    private long seed;

    @ArgGroup(exclusive = false, validate = false)
    private final LearningFlags overTime = new LearningFlags();
  }

  private static final class Recovery {
    @Option(
        names = "--checkpoint-dir",
        paramLabel = "PATH",
        description = {
          "Where checkpoints go: a path, on a cluster one that all its machines reach, or a URI of any file"
              + " system of Flink's, such as s3://bucket/checkpoints.",
          "Default: as the cluster is configured, else OUT/checkpoints"
        })
    private String checkpointDir;

    @Option(
        names = "--checkpoint-interval",
        paramLabel = "TIME",
        defaultValue = "10s",
        description = {
          "Time between checkpoints, such as 500ms, 10s, 2min.",
          "Default: ${DEFAULT-VALUE}"
        })
    private Duration checkpointInterval;

    @Option(
        names = "--restore",
        paramLabel = "PATH",
        description = {
          "A checkpoint or savepoint to go on from, also with another number of workers; or latest:"
              + " the newest in --checkpoint-dir, else in OUT/checkpoints, that fits.",
          "Default: begin anew"
        })
    private String restore;

    @Option(
        names = "--other-data",
        arity = "0..1",
        fallbackValue = "true",
        paramLabel = "true|false",
        description = {
          "Accept a checkpoint that was made with other samples, as many as --data has; the ledger"
              + " says so.",
          "Default: refuse it"
        })
    private boolean otherData;

    @Option(
        names = "--state-backend",
        paramLabel = "NAME",
        defaultValue = "hashmap",
        description = {
          "Where it is kept which samples were used: hashmap (memory) or rocksdb (disk, with"
              + " incremental checkpoints).",
          "Default: ${DEFAULT-VALUE}"
        })
    private String stateBackend;
  }

  private static final class Cluster {
    @Option(
        names = "--web-port",
        paramLabel = "PORT",
        description = {
          "Port of the embedded Flink's web UI; 0 for any.",
          "Default: the first that is free, from 8081"
        })
    private Integer webPort;

    @Option(
        names = "--metrics-port",
        paramLabel = "PORT",
        description = {
          "Show the embedded Flink's metrics to Prometheus on this machine, at"
              + " http://127.0.0.1:PORT/metrics; 9249 is usual.",
          "Default: show none"
        })
    private Integer metricsPort;

    @Option(
        names = "--client-timeout",
        paramLabel = "TIME",
        description = {
          "On a cluster: how long the client waits for a cluster that does not answer; then it ends with"
              + " exit code 1, and the job runs on if it can.",
          "Default: 2min"
        })
    private Duration clientTimeout;
  }

  private static final class Results {
    @Option(
        names = "--out",
        paramLabel = "FOLDER",
        defaultValue = "out",
        description = {
          "For the models (model.zip, best.zip), model.json, history.jsonl, summary.json, run.yaml, and the log of an"
              + " embedded run: a path, on a cluster one that all its machines reach, or a URI of any file"
              + " system of Flink's, such as s3://bucket/out (see docs/cluster.md).",
          "Default: ${DEFAULT-VALUE}"
        })
    private String out;

    @Option(
        names = "--page",
        arity = "0..1",
        fallbackValue = "true",
        paramLabel = "true|false",
        description = {
          "Keep a page for browsers of how the run goes, in OUT/run.html: accuracy or R², loss, speed, and the"
              + " faults that took effect. It stays when the run is over.",
          "Default: no page"
        })
    private boolean page;

    @Option(
        names = "--publish",
        paramLabel = "REGISTRY",
        description = {
          "Publish versions of the model while it is trained: into a folder or a URI of any file system of"
              + " Flink's, or a Kafka topic (kafka:TOPIC). See docs/how-to/publish-versions.md.",
          "Default: publish none"
        })
    private String registry;

    @Option(
        names = "--publish-every",
        paramLabel = "TIME|ROUNDS",
        description = {
          "How much lies between two versions, such as 10min or 5000 rounds (5000). A version is the model at"
              + " the end of an epoch or a window, and visible once a checkpoint that has it is complete.",
          "Default: 1min"
        })
    private String publishEvery;

    @Option(
        names = "--require",
        paramLabel = "WHAT,...",
        description = {
          "End with exit code 1 also where every-sample: a worker that was cut off for a while has missed"
              + " samples; or same-bits: workers' math kernels give other bits than each other's, or"
              + " than those that the checkpoint was made with.",
          "Default: say so, and train"
        })
    private String required;

    private Optional<TrainOptions.Publish> publish(KafkaFlags kafka) {
      if (registry == null) {
        if (publishEvery != null) {
          throw new UsageException(
              "--publish-every " + publishEvery + ": only with --publish REGISTRY");
        }
        return Optional.empty();
      }
      return Optional.of(
          TrainOptions.Publish.of(
              registry, Optional.ofNullable(publishEvery).orElse(USUAL_PACE), kafka));
    }
  }

  private static final String EVERY_SAMPLE = "every-sample";
  private static final String SAME_BITS = "same-bits";
  private static final List<String> REQUIRABLE = List.of(EVERY_SAMPLE, SAME_BITS);

  private static final String USUAL_PACE = "1min";
  private static final int USUAL_EPOCHS = 10;
  private static final int USUAL_BATCH = 100;

  /**
   * The options with their meaning.
   *
   * @throws UsageException if a name is unknown, or classes or features are impossible
   */
  public TrainOptions options() {
    RunGoal.Required unused = required();
    Optional<TrainOptions.Stream> stream = data.stream(kafka);
    Optional<TrainOptions.Publish> publish = results.publish(kafka);
    if (stream.isEmpty()
        && !faults.chaos.hasTopic()
        && publish.filter(it -> it.registry().isTopic()).isEmpty()) {
      kafka.requireNone(
          "only with a topic: --chaos-topic, --publish kafka:TOPIC, or a data file whose place is one");
    }
    int usualEpochs = stream.isPresent() ? Status.ENDLESS : USUAL_EPOCHS;
    int epochs = learning.epochs == null ? usualEpochs : learning.epochs;
    int batch = learning.batch == null ? USUAL_BATCH : learning.batch;
    ExchangeOptions typed = sharing.options(batch);
    ExchangeOptions chosen =
        faults.links.shape().map(shape -> sharing.onLinks(typed, shape)).orElse(typed);
    Optional<PlannedTree> plan = sharing.plan(batch, what.model);
    planned = plan.map(PlannedTree::words);
    return new TrainOptions(
        sharing.bounds(),
        sharing.exchange(),
        plan.map(tree -> tree.in(chosen)).orElse(chosen),
        what.model,
        data.location(),
        stream,
        epochs,
        optional(learning.targetAccuracy),
        batch,
        updater(),
        optional(learning.learningRate),
        learning.overTime.options(UpdaterNames.decay(learning.updater), data.validation()),
        math(),
        learning.seed,
        place("--checkpoint-dir", recovery.checkpointDir),
        recovery.checkpointInterval,
        place("--restore", recovery.restore),
        recovery.otherData,
        stateBackend(),
        Validation.placeOf("--out", results.out),
        cluster.webPort == null ? OptionalInt.empty() : OptionalInt.of(cluster.webPort),
        faults.chaos.options(kafka),
        faults.links.shape(),
        publish,
        new TrainOptions.Given(
            learning.epochs != null, learning.batch != null, data.saysHowToScale()));
  }

  /** Places that may be on any file system of Flink's, as they were typed. */
  public List<String> places() {
    return Stream.of(
            Optional.of(results.out),
            Optional.ofNullable(recovery.checkpointDir),
            Optional.ofNullable(recovery.restore),
            Optional.ofNullable(results.registry),
            faults.chaos.file(),
            sharing.planFrom())
        .flatMap(Optional::stream)
        .toList();
  }

  /**
   * Of the {@link #options} that were asked for last: what was chosen by an earlier run, and why.
   */
  public Optional<String> planned() {
    return planned;
  }

  /**
   * What makes a run fail that else only has a line for it.
   *
   * @throws UsageException if there is no such thing
   */
  public RunGoal.Required required() {
    List<String> all =
        results.required == null ? List.of() : List.of(results.required.split(",", -1));
    for (String name : all) {
      if (!REQUIRABLE.contains(name)) {
        throw UsageException.unknownName("--require", name, String.join(", ", REQUIRABLE));
      }
    }
    return new RunGoal.Required(all.contains(EVERY_SAMPLE), all.contains(SAME_BITS));
  }

  /** Whether a page for browsers is wanted. */
  public boolean wantsPage() {
    return results.page;
  }

  /** How long a cluster may not answer, if that was given. */
  public Optional<Duration> clientTimeout() {
    return Optional.ofNullable(cluster.clientTimeout);
  }

  /** Where metrics are to be shown, if anywhere. */
  public OptionalInt metricsPort() {
    return cluster.metricsPort == null ? OptionalInt.empty() : OptionalInt.of(cluster.metricsPort);
  }

  private Optional<String> updater() {
    Optional<String> name = Optional.ofNullable(learning.updater);
    if (name.isPresent() && !UpdaterNames.NAMES.contains(name.get())) {
      throw UsageException.unknownName(
          "--updater", name.get(), String.join(", ", UpdaterNames.NAMES));
    }
    return name;
  }

  private MathChoice math() {
    for (MathChoice choice : MathChoice.values()) {
      if (choice.title().equals(learning.math)) {
        return choice;
      }
    }
    throw UsageException.unknownName("--math", learning.math, "portable, fastest");
  }

  private TrainOptions.StateBackend stateBackend() {
    for (TrainOptions.StateBackend backend : TrainOptions.StateBackend.values()) {
      if (backend.title().equals(recovery.stateBackend)) {
        return backend;
      }
    }
    throw UsageException.unknownName("--state-backend", recovery.stateBackend, "hashmap, rocksdb");
  }

  private static Optional<String> place(String option, String value) {
    Optional<String> place = Optional.ofNullable(value);
    place.ifPresent(given -> Validation.isLocal(option, given));
    return place;
  }

  private static OptionalDouble optional(Double value) {
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }
}
