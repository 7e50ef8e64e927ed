package dev.braid.job;

import dev.braid.connectors.DataLocation;
import dev.braid.connectors.ImageOptions;
import dev.braid.connectors.TableOptions;
import dev.braid.job.report.EarlierResults;
import dev.braid.learner.ModelSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a model that training goes on from says of the data: its classes are those that the model
 * has outputs for, and its columns those that it has weights for, scaled as they were.
 */
final class KnownModel {

  private KnownModel() {}

  /**
   * The data of a run, as its model knows it, if it is a saved one.
   *
   * @throws UsageException if the user says something else of the columns
   */
  static DataLocation data(TrainOptions options) {
    DataLocation data = options.data();
    Optional<ModelCard> card = card(options);
    if (card.isEmpty()) {
      return data;
    }
    if (!data.isTable() || card.get().schema().isEmpty()) {
      // Classes that have no samples here have outputs all the same.
      DataLocation known = data.classes() == 0 ? data.withClassNames(card.get().classes()) : data;
      return data.isImages() && card.get().isOfImages()
          ? known.withImages(images(options, card.get().imageOptions()))
          : known;
    }
    if (!data.table().equals(TableOptions.DEFAULT) || data.classes() != 0) {
      throw new UsageException(
          "--model "
              + options.model()
              + ": brings its classes and columns, in "
              + ModelCard.FILE
              + ": --classes, --label, --ignore, --text and --standardize are not possible");
    }
    return card.get().of(data);
  }

  /** As the model's training images were scaled, and changed as this run is to. */
  private static ImageOptions images(TrainOptions options, ImageOptions known) {
    ImageOptions asked = options.data().images();
    if (asked.normalized()) {
      throw new UsageException(
          "--model "
              + options.model()
              + ": "
              + ModelCard.FILE
              + " says how its images are normalized, or that they are not: --normalize is not"
              + " possible");
    }
    return asked.isResized()
        ? asked.scaledBy(known.scales())
        : asked.scaledBy(known.scales()).resizedTo(known.height(), known.width());
  }

  /** Where a model is that is not there any more, if another run has put it aside; in words. */
  static String putAside(Path file) {
    return EarlierResults.latest(file)
        .map(found -> "; one of an earlier run is " + Places.shown(found))
        .orElse("");
  }

  /** Configurations have none: a file of that name beside one may be anything. */
  private static Optional<ModelCard> card(TrainOptions options) {
    if (ModelSpec.isPreset(options.model()) || !options.model().endsWith(".zip")) {
      return Optional.empty();
    }
    Path model = Path.of(options.model());
    return Files.isRegularFile(model) ? ModelCard.ifBeside(model) : Optional.empty();
  }
}
