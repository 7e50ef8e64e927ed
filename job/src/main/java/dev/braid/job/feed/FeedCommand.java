package dev.braid.job.feed;

import dev.braid.chaos.stream.BrokerAwayException;
import dev.braid.chaos.stream.KafkaTopic;
import dev.braid.chaos.stream.TopicAppender;
import dev.braid.job.config.DataSettings;
import dev.braid.job.console.ExitCodes;
import dev.braid.job.console.OptionNames;
import dev.braid.job.console.Signals;
import dev.braid.job.console.Terminal;
import dev.braid.job.console.Typed;
import dev.braid.job.console.UsageException;
import dev.braid.job.options.BrokerWait;
import dev.braid.job.options.KafkaFlags;
import dev.braid.text.Printable;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Command {@code braid feed}: writes samples into a Kafka topic. */
@Command(
    name = "feed",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = {
      "Writes samples into a Kafka topic, for trials and benchmarks: the training "
          + "samples of a data set, or a synthetic stream.",
      "",
      "The key of a record is the sample's number, from 0; its partition is this "
          + "number modulo the number of partitions. The same options write the same "
          + "records.",
      "",
      "Synthetic streams, each with two classes:",
      "  sea[:every=N,noise=P]: three features from 0 to 10. The class depends on "
          + "whether the sum of the first two exceeds a threshold, which changes every N = "
          + "50000 records. A share P = 0.1 of the labels is wrong.",
      "  hyperplane[:features=N,drift=D,noise=P]: N = 10 features from 0 to 1. The "
          + "weights change by D = 0.001 per record. P = 0.05.",
      "  linear[:features=N,noise=P]: N = 10 standard normal features in one array, "
          + "and a fixed linear model. P = 0.",
      ""
    },
    exitCodeListHeading = "%nExit codes%n",
    exitCodeList = {
      "0:all records written",
      "1:records could not be written",
      "2:invalid options or data, no broker answers, or the broker refuses",
      "130:stopped by Ctrl-C, after the records sent so far were written"
    })
public final class FeedCommand implements Callable<Integer> {

  private static final int MOST_PARTITIONS = 1_000;

  /** Seconds to wait for records in flight when the process is stopped. */
  private static final long PATIENCE_SECONDS = 10;

  private final Terminal terminal;

  @Option(
      names = "--topic",
      required = true,
      paramLabel = "TOPIC",
      description = "Topic for the records. A topic that does not exist is created.")
  private String topic;

  @Option(
      names = "--data",
      paramLabel = "NAME|PATH",
      description =
          "Data set whose training samples are written once, in their order: a name, "
              + "path or data file, as for braid train.")
  private String data;

  @Option(
      names = "--stream",
      paramLabel = "NAME[:KEY=VALUE,…]",
      description = "Synthetic stream: sea, hyperplane or linear.")
  private String stream;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = {
        "Mean number of records per second.",
        "Default: as many as the broker accepts"
      })
  private Double rate;

  @Option(
      names = "--records",
      paramLabel = "N",
      description = {
        "Number of records.",
        "Default: all samples of a data set; a stream has no end until Ctrl-C"
      })
  private Long records;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = {"Seed of the stream.", "Default: 1"})
  private Long seed;

  @Option(
      names = "--format",
      paramLabel = "NAME",
      defaultValue = "json",
      description = {
        "Format of the records. json: an object with the id, the features and the "
            + "label. csv: a row of the features and the label. avro: the binary encoding of "
            + "such a row, without a header.",
        "Default: ${DEFAULT-VALUE}"
      })
  private String format;

  @Option(
      names = "--partitions",
      paramLabel = "N",
      defaultValue = "4",
      description = {
        "Number of partitions of a topic that is created. An existing topic keeps its "
            + "partitions.",
        "Default: ${DEFAULT-VALUE}"
      })
  private int partitions;

  @Mixin private final KafkaFlags kafka = new KafkaFlags();

  @Spec private CommandSpec spec;

  /**
   * Creates the command.
   *
   * @param terminal shows progress and the result
   */
  public FeedCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    KafkaTopic to = kafka.topic("--topic", topic);
    checkNumbers();
    RecordFormat recordFormat = RecordFormat.named("--format", format);
    OptionalDouble pace = rate == null ? OptionalDouble.empty() : OptionalDouble.of(rate);
    FeedSource source = source();
    FeedLoop loop = new FeedLoop(source, recordFormat, count(source), pace, System::nanoTime);
    try (TopicAppender appender = BrokerWait.answer(to, () -> TopicAppender.open(to, partitions))) {
      return feed(loop, appender, to);
    }
  }

  private void checkNumbers() {
    if (partitions < 1 || partitions > MOST_PARTITIONS) {
      throw new UsageException(
          "--partitions " + partitions + ": must be from 1 to " + MOST_PARTITIONS);
    }
    if (rate != null && !(rate > 0 && rate < Double.POSITIVE_INFINITY)) {
      throw new UsageException("--rate " + Typed.number(rate) + ": must be more than 0");
    }
    if (records != null && records < 1) {
      throw new UsageException("--records " + records + ": must be 1 or more");
    }
  }

  private FeedSource source() {
    if (data != null && stream != null) {
      throw new UsageException("--data and --stream: use only one of them");
    }
    if (stream != null) {
      return SyntheticStream.of(stream, seed == null ? 1 : seed);
    }
    if (data == null) {
      throw new UsageException("feed: needs --data or --stream");
    }
    if (seed != null) {
      throw new UsageException("--seed " + seed + ": only with --stream");
    }
    DataSetSource source = DataSetSource.of(DataSettings.typed(data));
    source.notes().forEach(terminal::print);
    return source;
  }

  private long count(FeedSource source) {
    long most = source.size().orElse(Long.MAX_VALUE);
    if (records == null) {
      return most;
    }
    if (records > most) {
      throw new UsageException(
          "--records %d: the data set has only %d training samples".formatted(records, most));
    }
    return records;
  }

  private int feed(FeedLoop loop, TopicAppender appender, KafkaTopic to)
      throws InterruptedException {
    FeedStop stop = new FeedStop();
    long startNanos = System.nanoTime();
    Signals signals = Signals.handle(() -> stop(stop, appender), terminal::endLine);
    try {
      FeedProgress progress = new FeedProgress(terminal, loop.records(), loop.nanoClock());
      var unused = loop.run(appender::add, appender.partitions(), stop, progress);
      appender.flush();
      double seconds = (System.nanoTime() - startNanos) / 1e9;
      terminal.print(
          (stop.isRequested() ? "stopped: " : "")
              + written(appender)
              + " in "
              + to
              + String.format(Locale.ROOT, ", %.1f s", seconds));
      return stop.isRequested() ? ExitCodes.INTERRUPTED : ExitCodes.OK;
    } catch (BrokerAwayException e) {
      terminal.endLine();
      // Kafka's messages end with a full stop.
      String reason = Printable.of(OptionNames.in(e.getMessage())).replaceFirst("\\.$", "");
      spec.commandLine()
          .getErr()
          .println("braid: " + reason + "; " + written(appender) + " written");
      return ExitCodes.FAILED;
    } finally {
      signals.close();
      stop.end();
    }
  }

  /** Ends the feed. Called in a separate thread at the first signal. */
  private void stop(FeedStop stop, TopicAppender appender) {
    stop.request();
    if (!stop.awaitEnd(PATIENCE_SECONDS)) {
      terminal.print("stopped: " + written(appender) + " written; the broker does not answer");
    }
  }

  private static String written(TopicAppender appender) {
    long count = appender.acknowledged();
    return String.format(Locale.ROOT, "%,d", count) + (count == 1 ? " record" : " records");
  }
}
