package dev.braid.job.plan;

import dev.braid.connectors.DataLocation;
import dev.braid.connectors.image.ImageOptions;
import dev.braid.connectors.text.TableOptions;
import dev.braid.job.console.Places;
import dev.braid.job.console.UsageException;
import dev.braid.job.options.TrainOptions;
import dev.braid.job.result.EarlierResults;
import dev.braid.learner.model.ModelSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What a model that training goes on from says of the data: its classes, or values, are those that
 * the model has outputs for, and its columns those that it has weights for, scaled as they were.
 */
public final class KnownModel {

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
    checkKind(options, card.get());
    if (!data.isTable() || card.get().schema().isEmpty()) {
      DataLocation known = labelled(data, card.get());
      return data.isImages() && card.get().isOfImages()
          ? known.withImages(images(options, card.get().imageOptions()))
          : known;
    }
    contradiction(data, card.get())
        .ifPresent(
            what -> {
              throw new UsageException(
                  "--model %s: brings its classes and columns, in %s: %s"
                      .formatted(options.model(), ModelCard.FILE, what));
            });
    return card.get().of(data);
  }

  /** The first option that asks for other classes or columns than a model has. */
  private static Optional<String> contradiction(DataLocation data, ModelCard card) {
    List<String> names = card.classNames();
    boolean sameClasses =
        data.classes() == 0
            || (data.classNames().isEmpty()
                ? data.classes() == names.size()
                : data.classNames().equals(names));
    if (!sameClasses) {
      return Optional.of(
          "--classes: its %d classes are %s".formatted(names.size(), String.join(", ", names)));
    }
    return data.table() instanceof TableOptions asked
        ? card.schema().flatMap(schema -> schema.contradiction(asked, card.hasValues()))
        : Optional.empty();
  }

  /** Whether a regression's numbers are taken as they are, and could be standardized. */
  static boolean mayStandardize(TrainOptions options, ModelSpec model) {
    DataLocation data = data(options);
    return data.hasValues()
        && !model.needsValuesFromZero()
        && data.isTable()
        && data.table() instanceof TableOptions table
        && !table.standardized();
  }

  /** Classes that have no samples here have outputs all the same. */
  private static DataLocation labelled(DataLocation data, ModelCard card) {
    if (card.hasValues()) {
      return data.withValues();
    }
    return data.classes() == 0 ? data.withClassNames(card.classNames()) : data;
  }

  private static void checkKind(TrainOptions options, ModelCard card) {
    String mistake = "--model " + options.model() + ": gives ";
    if (options.data().hasValues() && !card.hasValues()) {
      throw new UsageException(
          mistake + "classes, as " + ModelCard.FILE + " says: --regression is not possible");
    }
    if (options.data().classes() > 0 && card.hasValues()) {
      throw new UsageException(
          mistake + "values, as " + ModelCard.FILE + " says: --classes is not possible");
    }
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

  /**
   * The mistake of who has named a folder; where it is that of a run, its model is near.
   *
   * @param needed what would be right, where no model is in it
   */
  public static UsageException folderMistake(String place, String needed) {
    Path model = Path.of(place).resolve(EarlierResults.MODEL);
    return new UsageException(
        "--model "
            + place
            + ": a folder; "
            + (Files.isRegularFile(model) ? model + " is in it" : needed + " is needed"));
  }

  /** Where a model is that is not there any more, if another run has put it aside; in words. */
  public static String putAside(Path file) {
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
