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

/** The options of {@code braid train} as typed, in the groups that help shows. */
public final class TrainFlags {

  /** The options that most runs need, which short help shows. */
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
        "Read options from a file, one per line, such as 'epochs: 20'. Options on the "
            + "command line override the file. Each run writes such a file, run.yaml, to its "
            + "--out folder.",
        "Default: none"
      })
  void config(String file) {
    // The file has been read before all other options.
  }

  private static final class What {
    @Option(
        names = "--model",
        paramLabel = "NAME|FILE",
        defaultValue = "mlp",
        description = {
          "Preset: logistic (one layer; with --regression, linear regression), mlp (one "
              + "hidden layer of 512), cnn (three convolutions with 10, 20 and 100 kernels, a "
              + "layer of 200) or cnn-cifar (32, 64 and 256 kernels, a layer of 800). Or a "
              + "file: a Deeplearning4j configuration (JSON), or a model to train further, "
              + "saved (zip) or exported by PyTorch and others (ONNX).",
          "Default: ${DEFAULT-VALUE}"
        })
    private String model;
  }

  /** Options for failures and slower links. */
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
          "Number of passes over the training data, at most.",
          "Default: 10; for a table and a preset, as many as use half a million samples, "
              + "from 10 to 50"
        })
    private Integer epochs;

    @Option(
        names = "--target-accuracy",
        paramLabel = "SHARE",
        description = {
          "Stop after the epoch that reaches this test accuracy, from 0 to 1, such as "
              + "0.98. If no epoch does, the exit code is 3.",
          "Default: train all epochs"
        })
    private Double targetAccuracy;

    @Option(
        names = "--batch",
        paramLabel = "N|all",
        converter = BatchConverter.class,
        description = {
          "Number of samples of a gradient, per worker; all: the worker's whole share, "
              + "so that each round uses the whole data set.",
          "Default: 100; for a table and a preset, a worker's part of a hundredth of the "
              + "training rows, from 32 to 100"
        })
    private Integer batch;

    @Option(
        names = "--updater",
        paramLabel = "NAME",
        description = {
          "Optimiser: sgd, momentum (Nesterov's, 0.9), adam, amsgrad, rmsprop, or adamw "
              + "(adam with --weight-decay 0.01).",
          "Default: momentum; for a table and a preset, adam, if the exchange supports "
              + "it and no --learning-rate is given; for a model file, its own"
        })
    private String updater;

    @Option(
        names = "--learning-rate",
        paramLabel = "RATE",
        description = {
          "Learning rate, for the mean gradient of all workers' samples.",
          "Default: 0.1; 0.001 for adam, amsgrad, adamw and rmsprop; 0.01 for cnn and "
              + "cnn-cifar with momentum; with --regression and momentum 0.001, or 0.01 for "
              + "logistic; for a table and a preset without --updater 0.001, or 0.01 for "
              + "logistic; for a model file, its own"
        })
    private Double learningRate;

    @Option(
        names = "--math",
        paramLabel = "NAME",
        defaultValue = "portable",
        description = {
          "Math kernels. portable: the same bits on every processor with AVX2. fastest: "
              + "up to twice as fast on a processor with AVX-512, with other bits.",
          "Default: ${DEFAULT-VALUE}"
        })
    private String math;

    @Option(
        names = "--seed",
        paramLabel = "N",
        defaultValue = "1",
        description = {
          "Seed of the initial weights and of the order of the samples; the same seed "
              + "gives the same bits.",
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
          "Folder for checkpoints: a path, on a cluster one that all its machines reach, "
              + "or a URI of a file system that Flink supports, such as "
              + "s3://bucket/checkpoints.",
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
          "Checkpoint or savepoint to resume from, also with another number of workers; "
              + "or latest: the newest one in --checkpoint-dir, else in OUT/checkpoints, that "
              + "fits this run.",
          "Default: start from the beginning"
        })
    private String restore;

    @Option(
        names = "--other-data",
        arity = "0..1",
        fallbackValue = "true",
        paramLabel = "true|false",
        description = {
          "Accept a checkpoint that was made with other samples, of the same number. The "
              + "ledger reports it.",
          "Default: refuse such a checkpoint"
        })
    private boolean otherData;

    @Option(
        names = "--state-backend",
        paramLabel = "NAME",
        defaultValue = "hashmap",
        description = {
          "State backend for the record of used samples: hashmap (memory) or rocksdb "
              + "(disk, with incremental checkpoints).",
          "Default: ${DEFAULT-VALUE}"
        })
    private String stateBackend;
  }

  private static final class Cluster {
    @Option(
        names = "--web-port",
        paramLabel = "PORT",
        description = {
          "Port of the embedded Flink's web UI; 0 for any free port.",
          "Default: the first free port from 8081"
        })
    private Integer webPort;

    @Option(
        names = "--metrics-port",
        paramLabel = "PORT",
        description = {
          "Port for the embedded Flink's metrics for Prometheus, at "
              + "http://127.0.0.1:PORT/metrics, such as 9249.",
          "Default: no metrics for Prometheus"
        })
    private Integer metricsPort;

    @Option(
        names = "--client-timeout",
        paramLabel = "TIME",
        description = {
          "On a cluster: longest wait of the client for a cluster that does not answer. "
              + "Then the client ends with exit code 1; the job may still run.",
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
          "Folder for the models (model.zip, best.zip), model.json, history.jsonl, "
              + "summary.json, run.yaml, and the log of an embedded run. A path, on a cluster "
              + "one that all its machines reach, or a URI of a file system that Flink "
              + "supports, such as s3://bucket/out (see docs/how-to/deploy.md).",
          "Default: ${DEFAULT-VALUE}"
        })
    private String out;

    @Option(
        names = "--page",
        arity = "0..1",
        fallbackValue = "true",
        paramLabel = "true|false",
        description = {
          "Keep a page, OUT/run.html, that shows the progress of the run in a browser: "
              + "accuracy or R², loss, speed, and faults. The page remains after the run.",
          "Default: no page"
        })
    private boolean page;

    @Option(
        names = "--publish",
        paramLabel = "REGISTRY",
        description = {
          "Publish versions of the model during training to a registry: a folder, a URI "
              + "of a file system that Flink supports, or a Kafka topic (kafka:TOPIC). See "
              + "docs/how-to/publish-versions.md.",
          "Default: publish no versions"
        })
    private String registry;

    @Option(
        names = "--publish-every",
        paramLabel = "TIME|ROUNDS",
        description = {
          "Least distance between two versions: a time, such as 10min, or a number of "
              + "rounds, such as 5000. A version is the model at the end of an epoch or a "
              + "window. It becomes visible when a checkpoint that contains it is complete.",
          "Default: 1min"
        })
    private String publishEvery;

    @Option(
        names = "--require",
        paramLabel = "WHAT,...",
        description = {
          "Also end with exit code 1 in these cases. every-sample: an excluded worker "
              + "has missed samples. same-bits: the math kernels of the workers give other "
              + "bits than each other's or than the checkpoint's.",
          "Default: report both cases and continue"
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
   * Returns the validated options.
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
          "only for a topic: use --chaos-topic, --publish kafka:TOPIC, or a data file "
              + "whose place is a topic");
    }
    int usualEpochs = stream.isPresent() ? Status.ENDLESS : USUAL_EPOCHS;
    int epochs = learning.epochs == null ? usualEpochs : learning.epochs;
    int batch = learning.batch == null ? USUAL_BATCH : learning.batch;
    ExchangeOptions typed = sharing.options(batch);
    ExchangeOptions chosen =
        faults.links.shape().map(shape -> sharing.onLinks(typed, shape)).orElse(typed);
    return new TrainOptions(
        what.model,
        new TrainOptions.Samples(data.location(), stream),
        new TrainOptions.Sharing(sharing.bounds(), sharing.exchange(), chosen),
        new TrainOptions.Learning(
            epochs,
            optional(learning.targetAccuracy),
            batch,
            updater(),
            optional(learning.learningRate),
            learning.overTime.options(UpdaterNames.decay(learning.updater), data.validation()),
            math(),
            learning.seed),
        new TrainOptions.Recovery(
            place("--checkpoint-dir", recovery.checkpointDir),
            recovery.checkpointInterval,
            place("--restore", recovery.restore),
            recovery.otherData,
            stateBackend()),
        new TrainOptions.Faults(faults.chaos.options(kafka), faults.links.shape()),
        new TrainOptions.Results(
            Validation.placeOf("--out", results.out),
            cluster.webPort == null ? OptionalInt.empty() : OptionalInt.of(cluster.webPort),
            publish),
        new TrainOptions.Given(
            learning.epochs != null, learning.batch != null, data.saysHowToScale()));
  }

  /** Returns the places that may be on any of Flink's file systems, as typed. */
  public List<String> places() {
    return Stream.of(
            Optional.of(results.out),
            Optional.ofNullable(recovery.checkpointDir),
            Optional.ofNullable(recovery.restore),
            Optional.ofNullable(results.registry),
            faults.chaos.file())
        .flatMap(Optional::stream)
        .toList();
  }

  /**
   * Returns the conditions that make a run fail, which otherwise are only reported.
   *
   * @throws UsageException if a condition is unknown
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

  /** Returns whether to write a page for browsers. */
  public boolean wantsPage() {
    return results.page;
  }

  /** Returns the longest wait for a cluster that does not answer; empty if it is not given. */
  public Optional<Duration> clientTimeout() {
    return Optional.ofNullable(cluster.clientTimeout);
  }

  /** Returns the port for metrics; empty for none. */
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
