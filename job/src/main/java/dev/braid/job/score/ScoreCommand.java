package dev.braid.job.score;

import dev.braid.api.score.ScoreConfig;
import dev.braid.chaos.stream.TopicAppender;
import dev.braid.connectors.DataLocation;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.topic.StreamBound;
import dev.braid.connectors.topic.StreamTopic;
import dev.braid.connectors.topic.TopicOffsets;
import dev.braid.job.config.DataSettings;
import dev.braid.job.config.TopicSettings;
import dev.braid.job.console.ExitCodes;
import dev.braid.job.console.Terminal;
import dev.braid.job.console.UsageException;
import dev.braid.job.engine.FlinkSettings;
import dev.braid.job.engine.SealedStorage;
import dev.braid.job.options.BrokerWait;
import dev.braid.job.options.FilePlugins;
import dev.braid.job.options.KafkaFlags;
import dev.braid.job.options.Validation;
import dev.braid.job.rest.ClusterSettings;
import dev.braid.run.scoring.ServedModel;
import dev.braid.run.scoring.VersionChoice;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.environment.LocalStreamEnvironment;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Command {@code braid score}: scores the records of a topic with published versions of a model, in
 * a Flink job.
 */
@Command(
    name = "score",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = {
      "Scores each record of a Kafka topic with the newest published version of a "
          + "model and writes the score to another topic, exactly once, for consumers with "
          + "isolation.level=read_committed.",
      "",
      "New versions are loaded while the job runs. The job runs in an embedded "
          + "Flink, or on a cluster with 'flink run braid.jar score' and the same options.",
      "",
      "A score has the key of its record. It is an object with the record's "
          + "partition and offset, the version, and the result as of braid predict: the "
          + "class and the probabilities, or the values, or the error if the record cannot "
          + "be scored.",
      ""
    },
    exitCodeListHeading = "%nExit codes%n",
    exitCodeList = {
      "0:all records scored, if the data file sets an end",
      "1:failed",
      "2:invalid options, data file or registry, no broker answers, or a broker refuses",
      "130:stopped by Ctrl-C (SIGINT), with a savepoint"
    })
public final class ScoreCommand implements Callable<Integer> {

  private static final Pattern CANARY = Pattern.compile("(v[0-9]+)=([0-9.eE-]+)");
  private static final String LATEST = "latest";
  private static final String OUT = "out/score";

  private final Terminal terminal;

  @Option(
      names = "--data",
      required = true,
      paramLabel = "FILE",
      description =
          "Data file of the training: it names the topic, describes the format of its "
              + "records, and says where to begin.")
  private String data;

  @Option(
      names = "--topic",
      paramLabel = "TOPIC",
      description = {
        "Another topic with such records, to score instead.",
        "Default: the topic of the data file"
      })
  private String topic;

  @Option(
      names = "--to",
      required = true,
      paramLabel = "kafka:TOPIC",
      description =
          "Topic for the scores. A topic that does not exist is created, with as many "
              + "partitions as the topic of the records.")
  private String to;

  @Option(
      names = "--models",
      required = true,
      paramLabel = "REGISTRY",
      description =
          "Registry of the versions (braid train --publish): a folder, a URI of a file "
              + "system that Flink supports, or a Kafka topic (kafka:TOPIC).")
  private String models;

  @Option(
      names = "--fixed",
      paramLabel = "VERSION",
      description = {
        "Score with this version, such as v17, and ignore versions that are published later.",
        "Default: the pinned version, else the newest"
      })
  private String fixed;

  @Option(
      names = "--canary",
      paramLabel = "VERSION=SHARE",
      description = {
        "Score a share of the keys with another version, such as v17=0.05.",
        "Default: none"
      })
  private String canary;

  @Option(
      names = "--parallelism",
      paramLabel = "N",
      description = {
        "Number of parallel tasks.",
        "Default: 1; on a cluster, the value of flink run -p or of the cluster"
      })
  private Integer parallelism;

  @Option(
      names = "--checkpoint-interval",
      paramLabel = "TIME",
      defaultValue = "1s",
      description = {
        "Time between checkpoints; each makes scores visible to consumers.",
        "Default: ${DEFAULT-VALUE}"
      })
  private Duration checkpointInterval;

  @Option(
      names = "--restore",
      paramLabel = "PATH",
      description = {
        "A checkpoint or savepoint to continue from; or latest: the newest in OUT/checkpoints.",
        "Default: start where the data file says"
      })
  private String restore;

  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      defaultValue = OUT,
      description = {
        "Folder for checkpoints and the log of an embedded Flink.",
        "Default: ${DEFAULT-VALUE}"
      })
  private String out;

  @Option(
      names = "--web-port",
      paramLabel = "PORT",
      description = {
        "Port of the embedded Flink's web UI; 0 for any free port.",
        "Default: the first free port from 8081"
      })
  private Integer webPort;

  @Mixin private final KafkaFlags kafka = new KafkaFlags();

  /**
   * Creates the command.
   *
   * @param terminal shows progress
   */
  public ScoreCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    StreamExecutionEnvironment given =
        StreamExecutionEnvironment.getExecutionEnvironment(new Configuration());
    boolean isEmbedded = given instanceof LocalStreamEnvironment;
    if (isEmbedded) {
      FilePlugins.loadFor(
          Stream.of(Optional.of(models), Optional.of(out), Optional.ofNullable(restore))
              .flatMap(Optional::stream)
              .toList());
    }
    ScoreJob job = job();
    OptionalInt tasks = tasks();
    Optional<String> begin = restored();
    if (checkpointInterval.toMillis() < 1) {
      throw new UsageException("--checkpoint-interval: must be 1 ms or more");
    }
    job = checked(job);
    new AwaitedVersions(job.config().choice(), models).await(terminal);
    checkFeatures(job);
    return isEmbedded
        ? run(job, tasks.orElse(1), begin)
        : submit(job, tasks, begin, new ClusterSettings(settingsOf(given)));
  }

  private int run(ScoreJob job, int tasks, Optional<String> begin) throws Exception {
    Configuration settings = settings(Optional.of(EmbeddedScoring.checkpoints(out)), begin);
    FlinkSettings.embed(settings, webPort == null ? OptionalInt.empty() : OptionalInt.of(webPort));
    // The job may run for months, so only the rate of recent failures counts.
    settings.set(RestartStrategyOptions.RESTART_STRATEGY, "failure-rate");
    settings.set(RestartStrategyOptions.RESTART_STRATEGY_FAILURE_RATE_MAX_FAILURES_PER_INTERVAL, 3);
    settings.set(
        RestartStrategyOptions.RESTART_STRATEGY_FAILURE_RATE_FAILURE_RATE_INTERVAL,
        Duration.ofMinutes(10));
    return new EmbeddedScoring(terminal, job, out).run(settings, tasks);
  }

  private int submit(
      ScoreJob job, OptionalInt tasks, Optional<String> begin, ClusterSettings cluster)
      throws Exception {
    boolean hasCheckpointDir = cluster.get(CheckpointingOptions.CHECKPOINTS_DIRECTORY).isPresent();
    Configuration settings =
        settings(
            hasCheckpointDir
                ? Optional.empty()
                : Optional.of(EmbeddedScoring.checkpoints(Validation.placeOf("--out", out))),
            begin);
    SealedStorage.set(settings);
    if (cluster.get(RestartStrategyOptions.RESTART_STRATEGY).isEmpty()) {
      settings.addAll(FlinkSettings.restartingSoon());
    }
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(settings);
    tasks.ifPresent(env::setParallelism);
    job.build(env);
    terminal.print("job " + env.executeAsync(job.name()).getJobID());
    return ExitCodes.OK;
  }

  private static Configuration settingsOf(StreamExecutionEnvironment env) {
    return Configuration.fromMap(env.getConfiguration().toMap());
  }

  // ---- options ---------------------------------------------------------------------------------

  private ScoreJob job() {
    TopicSettings settings =
        DataSettings.typed(data)
            .topic()
            .orElseThrow(
                () ->
                    new UsageException(
                        "--data "
                            + data
                            + ": must be a data file whose place is a topic (kafka:TOPIC)"));
    if (!StreamTopic.isPlace(to)) {
      throw new UsageException("--to " + to + ": must be kafka: and a topic");
    }
    String in = topic == null ? settings.topic() : topic;
    StreamTopic from = kafka.stream(topic == null ? "--data " + DataLocation.TOPIC : "--topic", in);
    StreamTopic into = kafka.streamAt("--to ", to);
    if (from.name().equals(into.name())) {
      throw new UsageException("--to " + to + ": must not be the topic of the records");
    }
    return new ScoreJob(
        from, into, settings.form(), settings.from(), settings.until(), ScoreConfig.of(choice()));
  }

  private VersionChoice choice() {
    VersionChoice choice = VersionChoice.follow(kafka.registry("--models", models));
    try {
      if (fixed != null) {
        choice = choice.fixedTo(fixed);
      }
    } catch (InvalidDataException e) {
      throw new UsageException("--fixed " + e.getMessage(), e);
    }
    return canary == null ? choice : withCanary(choice);
  }

  private VersionChoice withCanary(VersionChoice choice) {
    Matcher form = CANARY.matcher(canary);
    try {
      if (form.matches()) {
        return choice.withCanary(form.group(1), Double.parseDouble(form.group(2)));
      }
    } catch (InvalidDataException | NumberFormatException e) {
      throw new UsageException("--canary " + canary + ": " + e.getMessage(), e);
    }
    throw new UsageException(
        "--canary " + canary + ": must be a version and a share, such as v17=0.05");
  }

  private OptionalInt tasks() {
    if (parallelism != null && parallelism < 1) {
      throw new UsageException("--parallelism " + parallelism + ": must be 1 or more");
    }
    return parallelism == null ? OptionalInt.empty() : OptionalInt.of(parallelism);
  }

  /**
   * Returns the settings of the job.
   *
   * @param checkpointDir place of its checkpoints; empty for that of the cluster
   * @param begin checkpoint to start from, if any
   */
  private Configuration settings(Optional<String> checkpointDir, Optional<String> begin) {
    return FlinkSettings.job("hashmap", checkpointInterval, checkpointDir, begin);
  }

  private Optional<String> restored() {
    if (!LATEST.equals(restore)) {
      return Optional.ofNullable(restore);
    }
    return Optional.of(
        EmbeddedScoring.newestCheckpoint(out)
            .orElseThrow(
                () ->
                    new UsageException(
                        "--restore latest: no checkpoint in " + EmbeddedScoring.checkpoints(out))));
  }

  // ---- before the job --------------------------------------------------------------------------

  /** Checks the topics, and returns the job with a position in each partition. */
  private ScoreJob checked(ScoreJob job) {
    ScoreJob positioned;
    int partitions;
    try (TopicOffsets records = new TopicOffsets(job.in())) {
      partitions = BrokerWait.answer(job.in(), records::describe).partitions();
      positioned = job.between(position(records, job.from(), partitions), job.until());
      if (job.until().isPresent()) {
        positioned =
            positioned.between(
                positioned.from(), Optional.of(position(records, job.until().get(), partitions)));
      }
    } catch (IOException | InvalidDataException e) {
      throw new UsageException("--data " + data + ": " + e.getMessage(), e);
    }
    var written = kafka.topic("--to", job.out().name());
    BrokerWait.answer(written, () -> TopicAppender.open(written, partitions)).close();
    return positioned;
  }

  /**
   * Returns a bound with the offsets of all partitions, which Flink's source needs; the data file
   * may have those of some.
   */
  private static StreamBound position(TopicOffsets records, StreamBound bound, int partitions)
      throws IOException {
    SortedMap<Integer, Long> all = records.at(bound, partitions);
    return bound instanceof StreamBound.Offsets ? new StreamBound.Offsets(all) : bound;
  }

  /** Refuses a registry of another model, which would only produce errors. */
  private void checkFeatures(ScoreJob job) {
    try {
      var unused = new RecordFeatures(job.form()).reader(ServedModel.card(job.config().choice()));
    } catch (IOException | InvalidDataException e) {
      throw new UsageException("--models " + models + ": " + e.getMessage(), e);
    }
  }
}
