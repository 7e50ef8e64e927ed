package dev.braid.job.options;

import dev.braid.connectors.DataLocation;
import dev.braid.job.config.DataSettings;
import dev.braid.job.config.TopicSettings;
import dev.braid.job.console.UsageException;
import java.util.Optional;
import java.util.OptionalDouble;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** Options of {@code braid train} for the data, as typed. */
final class DataFlags {

  @Option(
      names = "--data",
      paramLabel = "NAME|PATH",
      defaultValue = DataLocation.MNIST,
      converter = SettingsConverter.class,
      description = {
        "mnist;",
        "a folder with four IDX files like those of MNIST, gzipped or not;",
        "a folder with CIFAR-10 or CIFAR-100, the binary version;",
        "a folder of PNG and JPEG images, in train/CLASS/ and test/CLASS/, or in "
            + "CLASS/, of which every tenth is a test image;",
        "a table, .csv or .tsv (separated by commas, semicolons, tabs or bars);",
        "a .libsvm file;",
        "or a data file (.yaml), or its text in braces. A data file names one of these "
            + "or a Kafka topic (kafka:TOPIC) as its place, and describes how to read it "
            + "(see docs/reference/data.md and docs/reference/topics.md). Relative places start at the working "
            + "directory.",
        "Default: ${DEFAULT-VALUE}"
      })
  private DataSettings data;

  @Option(
      names = "--regression",
      arity = "0..1",
      fallbackValue = "true",
      paramLabel = "true|false",
      description = {
        "For a table or a .libsvm file: labels are numbers to predict, not classes. "
            + "The loss of presets is then the mean squared error.",
        "Default: labels are classes"
      })
  private Boolean regression;

  @Option(
      names = "--label",
      paramLabel = "COLUMN",
      description = {
        "For a table: column of the class, by name or by number from 1. With "
            + "--regression: column of the number to predict, or several, separated by "
            + "commas.",
        "Default: the last column"
      })
  private String label;

  @Option(
      names = "--standardize",
      arity = "0..1",
      fallbackValue = "true",
      paramLabel = "true|false",
      description = {
        "For a table: scale each column of numbers to mean 0 and standard deviation 1 "
            + "of the training rows; with --regression, also the numbers to predict. "
            + "Predictions are scaled back.",
        "Default: true for a preset; false for a model file"
      })
  private Boolean standardize;

  /** Converter for a place or a data file. */
  static final class SettingsConverter implements ITypeConverter<DataSettings> {

    @Override
    public DataSettings convert(String text) {
      return DataSettings.typed(text);
    }
  }

  /**
   * Returns the data's place and format.
   *
   * @throws UsageException if an option is impossible, or does not apply to this kind of data
   */
  DataLocation location() {
    DataLocation location =
        data.location(
            new DataSettings.Overrides(
                Optional.ofNullable(regression),
                Optional.ofNullable(label),
                Optional.ofNullable(standardize)));
    if (location.isTopic()) {
      refuse(regression != null, "--regression", "regression");
      refuse(label != null, "--label", "label");
      refuse(
          standardize != null, "--standardize", "standardize, or mean and deviation of a feature");
      return location;
    }
    if (regression != null && location.isImages()) {
      throw new UsageException(
          "--regression: only for a table or a LibSVM file: --data FILE.csv or FILE.libsvm");
    }
    if (label != null && !location.isTable()) {
      throw new UsageException("--label " + label + ": only for a table: --data FILE.csv");
    }
    if (standardize != null && !location.isTable()) {
      throw new UsageException(
          "--standardize: only for a table: --data FILE.csv; for images, a data file has "
              + "'normalize'");
    }
    return location;
  }

  private static void refuse(boolean isGiven, String option, String settings) {
    if (isGiven) {
      throw new UsageException(
          option + ": only for a table or a LibSVM file; a topic's data file has " + settings);
    }
  }

  /**
   * Returns the topic of the samples; empty if they do not come from a topic.
   *
   * @param kafka how to reach brokers
   */
  Optional<TrainOptions.Stream> stream(KafkaFlags kafka) {
    return data.topic().map(settings -> stream(settings, kafka));
  }

  private static TrainOptions.Stream stream(TopicSettings settings, KafkaFlags kafka) {
    return new TrainOptions.Stream(
        kafka.stream("--data " + DataLocation.TOPIC, settings.topic()), settings);
  }

  /** Returns whether the user has set whether numbers of a table are standardized. */
  boolean saysHowToScale() {
    return standardize != null || data.saysHowToScale();
  }

  /**
   * Returns the share of the training samples to hold out; empty if the data file does not set it.
   */
  OptionalDouble validation() {
    return data.validation();
  }
}
