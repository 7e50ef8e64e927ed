package dev.braid.job.plan;

import dev.braid.connectors.DataChecksums;
import dev.braid.connectors.DataLocation;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.lineage.Lineage;
import dev.braid.connectors.lineage.LineageEntry;
import dev.braid.connectors.record.RecordForm;
import dev.braid.connectors.stream.StreamConfig;
import dev.braid.connectors.topic.TopicOffsets;
import dev.braid.job.config.TopicSettings;
import dev.braid.job.console.UsageException;
import dev.braid.job.options.BrokerWait;
import dev.braid.job.options.TrainOptions;
import dev.braid.run.result.EarlierResults;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Plan of a run whose samples come from a topic, which cannot be read whole. */
final class StreamPlan {

  private StreamPlan() {}

  /**
   * Checks that the options apply to a stream, and that the topic exists.
   *
   * @throws UsageException for the first error
   */
  static void check(TrainOptions options, TrainOptions.Stream stream) {
    String place = "--data " + options.samples().location().place();
    options.checks().requireStream(!options.standardized().isEmpty());
    refuse(options.isFullBatch(), "--batch all", "a topic has no end: give a number");
    refuse(
        options.learning().targetAccuracy().isPresent(),
        "--target-accuracy",
        "only for a data set, which has a test set");
    refuse(
        options.learning().other().targetLoss().isPresent(),
        "--target-loss",
        "only for a data set, which has a test set");
    refuse(
        options.learning().other().patience().isPresent(),
        "--patience",
        "only for a data set, which has a test set");
    refuse(
        options.learning().other().validation().isPresent(),
        "--validation",
        "only for a data set; the data file of a topic has 'holdout'");
    refuse(
        options.learning().other().classWeights().filter("balanced"::equals).isPresent(),
        "--class-weights balanced",
        "the classes of a topic are not counted: give LABEL=WEIGHT,…");
    try (TopicOffsets topic = new TopicOffsets(stream.topic())) {
      int partitions = BrokerWait.answer(stream.topic(), topic::describe).partitions();
      var unused = topic.at(stream.settings().from(), partitions);
      if (stream.settings().until().isPresent()) {
        var unusedEnd = topic.at(stream.settings().until().get(), partitions);
      }
    } catch (IOException | InvalidDataException e) {
      throw new UsageException(place + ": " + e.getMessage(), e);
    }
  }

  private static void refuse(boolean isGiven, String option, String why) {
    if (isGiven) {
      throw new UsageException(option + ": " + why);
    }
  }

  /** Returns what is known of the samples before any of them is read. */
  static DataLocation.Contents contents(TrainOptions options, TrainOptions.Stream stream) {
    RecordForm form = stream.settings().form();
    long window =
        (long) stream.settings().window() * options.workers() * options.learning().batch();
    int samples = (int) Math.min(Integer.MAX_VALUE, window);
    List<Integer> noCounts = Collections.nCopies(form.shape().classes(), 0);
    return new DataLocation.Contents(
        options.samples().location(),
        form.shape(),
        new DataLocation.Subset(samples, noCounts, List.of()),
        new DataLocation.Subset(0, List.of(), List.of()),
        false,
        new DataChecksums(0, 0),
        List.of());
  }

  static StreamConfig config(TrainOptions options, TrainOptions.Stream stream, String runFile) {
    TopicSettings settings = stream.settings();
    return new StreamConfig(
        stream.topic(),
        settings.form(),
        new StreamConfig.Section(
            settings.from(), settings.until().orElse(null), settings.skipsLost()),
        new StreamConfig.Batches(options.learning().batch(), options.servers(), settings.maxWait()),
        new StreamConfig.Windows(settings.window(), options.learning().epochs()),
        lineage(options, stream),
        options.learning().seed(),
        runFile);
  }

  /**
   * Checks the topic of the lineage, if the data file names one: its settings must suit a lineage,
   * and it must not have the lineage of another run. A topic that does not exist is created.
   *
   * @param run id of the Flink job, if it is known before the job starts
   * @throws UsageException for the first error
   */
  static void checkLineage(TrainOptions options, TrainOptions.Stream stream, Optional<String> run) {
    if (stream.settings().lineage().isEmpty() || options.recovery().restore().isPresent()) {
      return;
    }
    String place = stream.settings().lineage().get();
    try {
      Lineage.prepare(place, stream.topic());
      try (Lineage lineage = Lineage.open(place, stream.topic())) {
        Optional<LineageEntry.Began> earlier = lineage.began();
        refuse(
            earlier.isPresent() && !earlier.map(LineageEntry.Began::run).equals(run),
            "--data " + options.samples().location().place(),
            ("'lineage: %s': the topic has the lineage of another run: use another topic, "
                    + "or continue that run with --restore")
                .formatted(place));
      }
    } catch (IOException | InvalidDataException e) {
      throw new UsageException(
          "--data %s: 'lineage: %s': %s"
              .formatted(options.samples().location().place(), place, e.getMessage()),
          e);
    }
  }

  /** Returns the place of the lineage of a new run. */
  static String lineage(TrainOptions options, TrainOptions.Stream stream) {
    return stream
        .settings()
        .lineage()
        .orElseGet(() -> EarlierResults.in(options.results().out(), EarlierResults.LINEAGE));
  }
}
