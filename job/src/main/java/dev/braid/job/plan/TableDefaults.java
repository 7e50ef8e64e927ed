package dev.braid.job.plan;

import dev.braid.connectors.DataLocation;
import dev.braid.connectors.source.Holdout;
import dev.braid.connectors.text.TableOptions;
import dev.braid.exchange.option.Compression;
import dev.braid.job.console.UsageException;
import dev.braid.job.options.TrainOptions;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.optimiser.UpdaterSpec;
import java.util.OptionalDouble;

/**
 * Defaults of a preset on a table, which has fewer rows than image sets have images, and numbers of
 * any scale. Numbers are standardized, a round is a hundredth of the training rows, a run uses
 * about half a million samples, and the optimiser is Adam. Of larger tables, a tenth is held out.
 * Options of the user have priority.
 *
 * <p>The defaults were chosen on tables of 105 to 12,600 training rows (see {@code bench/tables}).
 */
final class TableDefaults {

  private static final int ROUNDS_OF_EPOCH = 100;
  private static final int LEAST_ROUND = 32;
  private static final int LARGEST_BATCH = 100;

  private static final int SAMPLES = 500_000;
  private static final int FEWEST_EPOCHS = 10;
  private static final int MOST_EPOCHS = 50;

  /** Learning rate for Adam and the preset {@code mlp}. */
  private static final double RATE = 0.001;

  /** Learning rate for one layer with Adam, and for momentum with small batches. */
  private static final double LARGER_RATE = 0.01;

  private static final double USUAL_MOMENTUM = 0.9;

  /**
   * Smallest number of rows of which some are held out. With fewer, choosing a model by them gains
   * less than the missing rows cost.
   */
  private static final int LEAST_ROWS_TO_VALIDATE = 1000;

  private static final double VALIDATION_SHARE = 0.1;

  private TableDefaults() {}

  /** Returns the run with its numbers standardized, if that is the default. */
  static TrainOptions scaling(TrainOptions options) {
    return appliesTo(options)
            && !options.given().standardize()
            && options.samples().location().table() instanceof TableOptions table
        ? options.withData(options.samples().location().withTable(table.withStandardized(true)))
        : options;
  }

  /**
   * Returns the run with the defaults that depend on the number of rows.
   *
   * @param rows number of training rows
   */
  static TrainOptions learning(TrainOptions options, int rows) {
    if (options.samples().stream().isPresent() && ModelSpec.isPreset(options.model())) {
      return options.learning().updater().isPresent()
              || options.learning().learningRate().isPresent()
          ? options
          : withOptimiser(options);
    }
    if (!appliesTo(options)) {
      return options;
    }
    int epochs =
        options.given().epochs()
            ? options.learning().epochs()
            : Math.max(FEWEST_EPOCHS, Math.min(MOST_EPOCHS, SAMPLES / rows));
    int batch =
        options.given().batch() ? options.learning().batch() : batch(rows, options.workers());
    TrainOptions paced = options.withPace(epochs, batch);
    return options.learning().updater().isPresent() || options.learning().learningRate().isPresent()
        ? paced
        : withOptimiser(paced);
  }

  /**
   * Returns the samples to hold out.
   *
   * @param samples number of training samples, of any kind of data
   * @throws UsageException if a share above 0 would hold out no sample, or all of them
   */
  static Holdout holdout(TrainOptions options, int samples) {
    OptionalDouble given = options.learning().other().validation();
    boolean isUsual = options.samples().location().isTable() && samples >= LEAST_ROWS_TO_VALIDATE;
    double share = given.orElse(isUsual ? VALIDATION_SHARE : 0);
    int held = (int) Math.round(share * samples);
    if (share > 0 && (held == 0 || held == samples)) {
      throw new UsageException(
          "--validation %s: would hold out %3$,d of %2$,d training samples; use another share"
              .formatted(UpdaterSpec.plain(share), samples, held));
    }
    return held == 0
        ? Holdout.none(samples)
        : new Holdout(samples, held, options.learning().seed());
  }

  private static int batch(int rows, int workers) {
    int round = Math.max(LEAST_ROUND, rows / ROUNDS_OF_EPOCH);
    return Math.min(LARGEST_BATCH, -Math.floorDiv(-round, workers));
  }

  /**
   * Returns the run with Adam; or with momentum if the exchange cannot apply Adam, or compresses
   * gradients together with their momentum.
   */
  private static TrainOptions withOptimiser(TrainOptions options) {
    boolean isOneLayer = options.model().equals("logistic");
    Compression compression =
        options
            .sharing()
            .exchange()
            .descriptor()
            .compression(options.sharing().options(), (float) USUAL_MOMENTUM);
    if (options.isSynchronous() && !(compression instanceof Compression.Corrected)) {
      return options.withUpdater("adam", isOneLayer ? LARGER_RATE : RATE);
    }
    // For a regression, presets already have a rate this small.
    return options.samples().location().hasValues()
        ? options
        : options.withUpdater("momentum", LARGER_RATE);
  }

  /**
   * Returns whether the defaults apply. A model file has its own optimiser, and a saved model has
   * the scales of its columns.
   */
  private static boolean appliesTo(TrainOptions options) {
    DataLocation data = options.samples().location();
    return data.isTable() && ModelSpec.isPreset(options.model());
  }
}
