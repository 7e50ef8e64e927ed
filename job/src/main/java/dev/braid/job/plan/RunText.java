package dev.braid.job.plan;

import dev.braid.connectors.DataLocation;
import dev.braid.connectors.text.TableOptions;
import dev.braid.exchange.option.Compression;
import dev.braid.job.console.Places;
import dev.braid.job.options.TrainOptions;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.optimiser.Optimiser;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** What a run is, in words. */
final class RunText {

  private RunText() {}

  /**
   * What the run is, in a line.
   *
   * @param held how many training samples are held out for validation
   * @param length the model's parameters
   */
  static String describe(
      TrainOptions options,
      DataLocation.Contents contents,
      int held,
      Optimiser optimiser,
      int length) {
    if (options.stream().isPresent()) {
      return String.format(
          Locale.ROOT,
          "%s on topic %s at %s, %s, %s, batch %s, %s, seed %d",
          shownModel(options),
          options.stream().get().topic().name(),
          options.stream().get().topic().brokers(),
          options.bounds().inWords(),
          describeExchange(options, length),
          options.typedBatch(),
          optimiser.describe(),
          options.seed());
    }
    return String.format(
        Locale.ROOT,
        "%s on %s (%,d samples%s%s, %,d to test), %s, %s, %sbatch %s, %s, seed %d",
        shownModel(options),
        Places.shown(options.data().place()),
        contents.trainSamples(),
        isStandardized(options) ? ", standardized" : "",
        held == 0 ? "" : String.format(Locale.ROOT, ", %,d to validate", held),
        contents.testSamples(),
        options.bounds().inWords(),
        describeExchange(options, length),
        // Of other data the default is always the same.
        options.data().isTable() ? epochs(options.epochs()) + ", " : "",
        options.typedBatch(),
        optimiser.describe(),
        options.seed());
  }

  private static String epochs(int epochs) {
    return epochs == 1 ? "1 epoch" : epochs + " epochs";
  }

  private static boolean isStandardized(TrainOptions options) {
    return options.data().table() instanceof TableOptions table && table.standardized();
  }

  private static String shownModel(TrainOptions options) {
    return ModelSpec.isPreset(options.model())
        ? options.model()
        : Places.shown(Path.of(options.model()).toAbsolutePath().normalize());
  }

  /** What the job is called in Flink's web UI. */
  static String jobName(TrainOptions options) {
    return "Braid: %s, %s on %s, %s"
        .formatted(
            options.exchange().title(),
            lastPart(options.model()),
            lastPart(options.data().place()),
            options.bounds().inWords());
  }

  /** Of a path, the file's name. */
  static String lastPart(String place) {
    return place.substring(place.lastIndexOf('/') + 1);
  }

  private static String describeExchange(TrainOptions options, int length) {
    String exchange = options.exchange().title() + " exchange";
    Compression compression =
        options.exchange().descriptor().compression(options.exchangeOptions());
    List<String> more =
        Stream.concat(
                options
                    .exchange()
                    .descriptor()
                    .describe(options.exchangeOptions(), length)
                    .stream(),
                Stream.of(compression)
                    .filter(chosen -> !chosen.equals(Compression.NONE))
                    .map(RunText::describeCompression))
            .toList();
    return more.isEmpty() ? exchange : exchange + " (" + String.join(", ", more) + ")";
  }

  /** The optimiser, as it is described, has no momentum where the workers have it. */
  private static String describeCompression(Compression chosen) {
    return "compressed: "
        + chosen
        + (chosen instanceof Compression.Corrected corrected
            ? " with momentum " + corrected.momentum() + " at the workers"
            : "");
  }
}
