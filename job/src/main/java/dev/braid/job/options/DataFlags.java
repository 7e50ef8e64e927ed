package dev.braid.job.options;

import dev.braid.connectors.DataLocation;
import dev.braid.job.config.DataSettings;
import dev.braid.job.config.TopicSettings;
import dev.braid.job.console.UsageException;
import java.util.Optional;
import java.util.OptionalDouble;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** The options of {@code braid train} that say what the data is, as they are typed. */
final class DataFlags {

  @Option(
      names = "--data",
      paramLabel = "NAME|PATH",
      defaultValue = DataLocation.MNIST,
      converter = SettingsConverter.class,
      description = {
        "mnist;",
        "or a folder with the four IDX files of a data set like it, gzipped or not;",
        "or a folder with CIFAR-10 or CIFAR-100, the binary version;",
        "or a folder of PNG and JPEG images, train/CLASS/ and test/CLASS/, or CLASS/, of which every"
            + " tenth is to test with;",
        "or a table, .csv or .tsv (with commas, semicolons, tabs or bars);",
        "or a .libsvm file;",
        "or a data file (.yaml): it names one of these as 'place', or a Kafka topic (kafka:TOPIC), and"
            + " says how to read it (see docs/reference/data.md and docs/reference/topics.md); or its"
            + " text, in braces. Places are relative to the folder in which Braid runs.",
        "Default: ${DEFAULT-VALUE}"
      })
  private DataSettings data;

  @Option(
      names = "--regression",
      arity = "0..1",
      fallbackValue = "true",
      paramLabel = "true|false",
      description = {
        "Of a table or a .libsvm file: labels are numbers that the model is to predict, and no classes."
            + " Presets have a mean squared error then.",
        "Default: labels are classes"
      })
  private Boolean regression;

  @Option(
      names = "--label",
      paramLabel = "COLUMN",
      description = {
        "Of a table: the column of the class, by name or by number from 1. With --regression, that of"
            + " the number to predict; or of several, with commas between.",
        "Default: the last"
      })
  private String label;

  @Option(
      names = "--standardize",
      arity = "0..1",
      fallbackValue = "true",
      paramLabel = "true|false",
      description = {
        "Of a table: scale each column of numbers to mean 0 and standard deviation 1 of the"
            + " training rows; with --regression, the numbers to predict, too. Predictions are as"
            + " numbers were.",
        "Default: true for a preset; for a model file, numbers as they are"
      })
  private Boolean standardize;

  /** A place, or a data file. */
  static final class SettingsConverter implements ITypeConverter<DataSettings> {

    @Override
    public DataSettings convert(String text) {
      return DataSettings.typed(text);
    }
  }

  /**
   * Where the data is, with what is said of it.
   *
   * @throws UsageException if an option is impossible, or means nothing to such data
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
          "--regression: only with a table or a LibSVM file: --data FILE.csv or FILE.libsvm");
    }
    if (label != null && !location.isTable()) {
      throw new UsageException("--label " + label + ": only with a table: --data FILE.csv");
    }
    if (standardize != null && !location.isTable()) {
      throw new UsageException(
          "--standardize: only with a table: --data FILE.csv; images have 'normalize' in a data"
              + " file");
    }
    return location;
  }

  private static void refuse(boolean isGiven, String option, String settings) {
    if (isGiven) {
      throw new UsageException(
          option + ": only with a table or a LibSVM file; a topic's data file has " + settings);
    }
  }

  /**
   * Returns the topic that the samples come from, if they come from one.
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

  /** Whether the user says if numbers of a table are standardized. */
  boolean saysHowToScale() {
    return standardize != null || data.saysHowToScale();
  }

  /** The share of the training samples that is held out, if the data file says it. */
  OptionalDouble validation() {
    return data.validation();
  }
}
