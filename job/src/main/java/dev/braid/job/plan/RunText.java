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

/** Descriptions of a run in words. */
final class RunText {

  private RunText() {}

  /**
   * Returns a description of the run in one line.
   *
   * @param held number of training samples held out for validation
   * @param length number of the model's parameters
   */
  static String describe(
      TrainOptions options,
      DataLocation.Contents contents,
      int held,
      Optimiser optimiser,
      int length) {
    if (options.samples().stream().isPresent()) {
      return String.format(
          Locale.ROOT,
          "%s on topic %s at %s, %s, %s, batch %s, %s, seed %d",
          shownModel(options),
          options.samples().stream().get().topic().name(),
          options.samples().stream().get().topic().brokers(),
          options.sharing().bounds().inWords(),
          describeExchange(options, length),
          options.typedBatch(),
          optimiser.describe(),
          options.learning().seed());
    }
    return String.format(
        Locale.ROOT,
        "%s on %s (%,d samples%s%s, %,d to test), %s, %s, %sbatch %s, %s, seed %d",
        shownModel(options),
        Places.shown(options.samples().location().place()),
        contents.train().samples(),
        isStandardized(options) ? ", standardized" : "",
        held == 0 ? "" : String.format(Locale.ROOT, ", %,d to validate", held),
        contents.test().samples(),
        options.sharing().bounds().inWords(),
        describeExchange(options, length),
        // For other data, the default number of epochs is constant.
        options.samples().location().isTable() ? epochs(options.learning().epochs()) + ", " : "",
        options.typedBatch(),
        optimiser.describe(),
        options.learning().seed());
  }

  private static String epochs(int epochs) {
    return epochs == 1 ? "1 epoch" : epochs + " epochs";
  }

  private static boolean isStandardized(TrainOptions options) {
    return options.samples().location().table() instanceof TableOptions table
        && table.standardized();
  }

  private static String shownModel(TrainOptions options) {
    return ModelSpec.isPreset(options.model())
        ? options.model()
        : Places.shown(Path.of(options.model()).toAbsolutePath().normalize());
  }

  /** Returns the name of the job in Flink's web UI. */
  static String jobName(TrainOptions options) {
    return "Braid: %s, %s on %s, %s"
        .formatted(
            options.sharing().exchange().title(),
            lastPart(options.model()),
            lastPart(options.samples().location().place()),
            options.sharing().bounds().inWords());
  }

  /** Returns the part after the last slash, which is a path's file name. */
  static String lastPart(String place) {
    return place.substring(place.lastIndexOf('/') + 1);
  }

  private static String describeExchange(TrainOptions options, int length) {
    String exchange = options.sharing().exchange().title() + " exchange";
    Compression compression =
        options.sharing().exchange().descriptor().compression(options.sharing().options());
    List<String> more =
        Stream.concat(
                options
                    .sharing()
                    .exchange()
                    .descriptor()
                    .describe(options.sharing().options(), length)
                    .stream(),
                Stream.of(compression)
                    .filter(chosen -> !chosen.equals(Compression.NONE))
                    .map(RunText::describeCompression))
            .toList();
    return more.isEmpty() ? exchange : exchange + " (" + String.join(", ", more) + ")";
  }

  /**
   * Describes compression. It includes the momentum if the workers apply it, since the description
   * of the optimiser then has none.
   */
  private static String describeCompression(Compression chosen) {
    return "compressed: "
        + chosen
        + (chosen instanceof Compression.Corrected corrected
            ? " with momentum " + corrected.momentum() + " at the workers"
            : "");
  }
}
