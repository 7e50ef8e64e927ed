package dev.braid.job.plan;

import dev.braid.connectors.DataLocation;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.file.Texts;
import dev.braid.connectors.image.ImageOptions;
import dev.braid.connectors.text.Labels;
import dev.braid.connectors.text.TableOptions;
import dev.braid.connectors.text.TableSchema;
import dev.braid.job.console.Places;
import dev.braid.job.console.UsageException;
import dev.braid.job.options.TrainOptions;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.optimiser.UpdaterSpec;
import dev.braid.run.result.EarlierResults;
import dev.braid.run.training.ModelCard;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Constraints of a saved model on the data for further training. Its classes or values must be
 * those of the model's outputs. Its columns must be those of the model's weights, and are scaled as
 * they were.
 */
public final class KnownModel {

  private KnownModel() {}

  /**
   * Returns the data of a run, with the classes and columns of its model if that is a saved one.
   *
   * @throws UsageException if options contradict the model's columns or classes
   * @throws InvalidDataException if the data has another number of features than the model
   */
  static DataLocation data(TrainOptions options) {
    DataLocation data = options.samples().location();
    Optional<ModelCard> card = card(options);
    if (card.isEmpty()) {
      return data;
    }
    checkKind(options, card.get());
    card.get().checkForm(data);
    if (!data.isImages() && card.get().hasImages()) {
      throw new InvalidDataException(
          ("%s: has rows of numbers, but --model %s was trained on images, whose numbers "
                  + "are divided by %d")
              .formatted(data.place(), options.model(), card.get().divisor()));
    }
    if (!data.isTable() || card.get().schema().isEmpty()) {
      DataLocation known = labelled(options, card.get());
      return data.isImages() && card.get().hasImages()
          ? known.withImages(images(options, card.get().imageOptions()))
          : known;
    }
    contradiction(data, card.get())
        .ifPresent(
            what -> {
              throw new UsageException(
                  "--model %s: has its own classes and columns, in %s: %s"
                      .formatted(options.model(), ModelCard.FILE, what));
            });
    return card.get().of(data);
  }

  /** Returns the first option that asks for other classes or columns than the model's. */
  private static Optional<String> contradiction(DataLocation data, ModelCard card) {
    List<String> names = card.classNames();
    boolean sameClasses =
        data.classes() == 0
            || (data.classNames().isEmpty()
                ? data.classes() == names.size()
                : data.classNames().equals(names));
    if (!sameClasses) {
      return Optional.of(
          "classes: its %d classes are %s".formatted(names.size(), String.join(", ", names)));
    }
    return data.table() instanceof TableOptions asked
        ? card.schema().flatMap(schema -> schema.contradiction(asked, card.hasValues()))
        : Optional.empty();
  }

  /** Returns whether a regression's values are not standardized, but could be. */
  static boolean mayStandardize(TrainOptions options, ModelSpec model) {
    DataLocation data = data(options);
    return data.hasValues()
        && !model.needsValuesFromZero()
        && data.isTable()
        && data.table() instanceof TableOptions table
        && !table.standardized();
  }

  /**
   * Checks properties that are known only after reading the data.
   *
   * @throws InvalidDataException if the data does not fit the model
   */
  static void check(TrainOptions options, DataLocation.Contents contents) {
    Optional<ModelCard> card = card(options);
    if (card.isEmpty()) {
      return;
    }
    DataLocation data = contents.location();
    card.get().checkShape(data, contents.shape());
    if (card.get().schema().isEmpty()
        && data.table() instanceof TableSchema schema
        && !schema.isPlain()) {
      throw new InvalidDataException(
          ("%s: a table with columns that are categories or are scaled: --model %s was "
                  + "trained on unscaled numbers")
              .formatted(data.place(), options.model()));
    }
    Optional<String> unknown = data.firstUnknownTextInTrain();
    if (unknown.isPresent()) {
      throw new InvalidDataException(
          ("%s: --model %s does not know this category: correct or remove such rows, or "
                  + "train a new model without --model")
              .formatted(unknown.get(), options.model()));
    }
  }

  /** Returns a line for each permitted difference between a saved model and the data. */
  static List<String> notes(TrainOptions options, ModelSpec model, DataLocation.Contents contents) {
    return Stream.of(classesWithoutSamples(options, contents), stateNote(options, model))
        .flatMap(Optional::stream)
        .toList();
  }

  private static Optional<String> classesWithoutSamples(
      TrainOptions options, DataLocation.Contents contents) {
    if (card(options).isEmpty() || !contents.countsClasses()) {
      return Optional.empty();
    }
    List<String> names = contents.location().classNames();
    List<String> none =
        IntStream.range(0, names.size())
            .filter(i -> contents.train().classCounts().get(i) == 0)
            .mapToObj(names::get)
            .toList();
    return none.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "no training sample of class %s: the classes are those of the model"
                .formatted(Texts.list(none)));
  }

  private static Optional<String> stateNote(TrainOptions options, ModelSpec model) {
    boolean isSaved = model.weights().length > 0 && options.recovery().restore().isEmpty();
    UpdaterSpec chosen = options.optimiserChoice().updater(model);
    if (!isSaved || chosen.stateVectors() == 0 || model.continuesWith(chosen)) {
      return Optional.empty();
    }
    return Optional.of(
        model.steps() == 0
            ? "--model %s: has no state of an optimiser: %s starts from zeros"
                .formatted(options.model(), chosen.title())
            : "--model %s: has the state of the optimiser %s: %s starts from zeros"
                .formatted(options.model(), model.updater().title(), chosen.title()));
  }

  /** Returns a warning if a saved model has no {@code model.json} that explains its outputs. */
  static Optional<String> warning(
      TrainOptions options, ModelSpec model, DataLocation.Contents contents) {
    if (model.weights().length == 0 || card(options).isPresent()) {
      return Optional.empty();
    }
    return Optional.of(
        "--model %s: no %s is next to it, which says what it was trained on: %s"
            .formatted(
                options.model(),
                ModelCard.FILE,
                contents.shape().hasValues()
                    ? "its outputs are taken for the values, and its inputs for the features, in"
                        + " their order"
                    : "its outputs are taken for the classes "
                        + Texts.list(contents.location().classNames())
                        + ", and its inputs for the features, in their order"));
  }

  /**
   * Returns the data with the model's classes, since classes without samples here have outputs as
   * well.
   */
  private static DataLocation labelled(TrainOptions options, ModelCard card) {
    DataLocation data = options.samples().location();
    DataLocation known =
        data.isImages() || data.features() > 0 ? data : data.withFeatures(card.shape().features());
    if (card.hasValues()) {
      return known.withValues();
    }
    boolean isSame =
        data.classNames().isEmpty()
            ? data.classes() == 0 || card.classNames().equals(Labels.numbered(data.classes()))
            : data.classNames().equals(card.classNames());
    if (!isSame) {
      throw new UsageException(
          "classes %s: the outputs of --model %s are the classes %s, in this order, as %s says"
              .formatted(
                  data.classNames().isEmpty()
                      ? data.classes()
                      : String.join(",", data.classNames()),
                  options.model(),
                  Texts.list(card.classNames()),
                  ModelCard.FILE));
    }
    return known.withClassNames(card.classNames());
  }

  private static void checkKind(TrainOptions options, ModelCard card) {
    String mistake = "--model " + options.model() + ": predicts ";
    if (options.samples().location().hasValues() && !card.hasValues()) {
      throw new UsageException(
          mistake + "classes, as " + ModelCard.FILE + " says: remove --regression");
    }
    if (options.samples().location().classes() > 0 && card.hasValues()) {
      throw new UsageException(
          mistake + "values, as " + ModelCard.FILE + " says: remove 'classes'");
    }
  }

  /** Returns the scales of the model's training images, with the changes of this run. */
  private static ImageOptions images(TrainOptions options, ImageOptions known) {
    ImageOptions asked = options.samples().location().images();
    if (asked.normalized()) {
      throw new UsageException(
          "--model "
              + options.model()
              + ": "
              + ModelCard.FILE
              + " has the normalization of its images: remove 'normalize'");
    }
    return asked.isResized()
        ? asked.scaledBy(known.scales())
        : asked.scaledBy(known.scales()).resizedTo(known.height(), known.width());
  }

  /**
   * Returns the error of naming a folder; if the folder has a run's model, the message suggests it.
   *
   * @param needed requirement for the message if the folder has no model
   */
  public static UsageException folderMistake(String place, String needed) {
    Path model = Path.of(place).resolve(EarlierResults.MODEL);
    return new UsageException(
        "--model "
            + place
            + ": is a folder; "
            + (Files.isRegularFile(model) ? model + " is in it" : needed));
  }

  /**
   * Returns the place to which a later run has moved a missing model, in words; empty if it is not
   * found.
   */
  public static String putAside(Path file) {
    return EarlierResults.latest(file)
        .map(found -> "; the file of an earlier run is " + Places.shown(found))
        .orElse("");
  }

  /**
   * Returns the model's card. Configurations have none: a file of that name next to one may be
   * anything.
   */
  private static Optional<ModelCard> card(TrainOptions options) {
    if (ModelSpec.isPreset(options.model()) || !options.model().endsWith(".zip")) {
      return Optional.empty();
    }
    Path model = Path.of(options.model());
    try {
      return Files.isRegularFile(model) ? ModelCard.ifBeside(model) : Optional.empty();
    } catch (InvalidDataException e) {
      throw new UsageException(e.getMessage(), e);
    }
  }
}
