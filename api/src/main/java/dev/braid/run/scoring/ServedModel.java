package dev.braid.run.scoring;

import dev.braid.connectors.ModelFiles;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.registry.ModelRegistry;
import dev.braid.connectors.registry.ModelVersion;
import dev.braid.connectors.text.Labels;
import dev.braid.connectors.text.TableColumn;
import dev.braid.learner.InvalidModelException;
import dev.braid.learner.Shape;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.network.Classifier;
import dev.braid.run.training.ModelCard;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A version of a model that is loaded and scores records. An instance belongs to one thread at a
 * time.
 *
 * @param <T> the records
 */
public final class ServedModel<T> implements AutoCloseable {

  private final ModelVersion version;
  private final String name;
  private final Classifier classifier;
  private final FeatureReader<T> reader;
  private final List<String> names;
  private final List<TableColumn> values;

  private ServedModel(
      ModelVersion version,
      Classifier classifier,
      FeatureReader<T> reader,
      List<String> names,
      List<TableColumn> values) {
    this.version = version;
    this.name = version.name();
    this.classifier = classifier;
    this.reader = reader;
    this.names = names;
    this.values = values;
  }

  /**
   * Loads a version and scores two batches of zeros with it, so that its first records do not wait.
   *
   * @param rows samples of the largest batch
   * @throws InvalidDataException if a file is missing or damaged, has a newer form, or is of a
   *     model of other samples
   * @throws InvalidModelException if the model cannot be read, or takes other samples
   * @throws IOException if the registry cannot be read
   */
  static <T> ServedModel<T> load(
      ModelRegistry registry, ModelVersion version, FeatureForm<T> form, int rows)
      throws IOException {
    Optional<ModelCard> card = ModelCard.of(registry, version);
    FeatureReader<T> reader = form.reader(card);
    Shape shape = reader.shape();
    byte[] model = registry.file(version, ModelVersion.MODEL);
    Classifier classifier = classifier(ModelFiles.load(version.name(), model), shape, rows);
    List<TableColumn> values = card.map(ModelCard::valueColumns).orElse(List.of());
    List<String> names =
        shape.hasValues()
            ? card.isPresent()
                ? values.stream().map(TableColumn::name).toList()
                : Collections.nCopies(shape.outputs(), "")
            : card.map(ModelCard::classNames).orElseGet(() -> Labels.numbered(shape.classes()));
    return new ServedModel<>(version, classifier, reader, names, values);
  }

  /**
   * Returns the card of the version that serves now.
   *
   * @return empty if there is no version yet, or it has no card
   * @throws InvalidDataException if the card is damaged or has a newer form
   * @throws IOException if the registry cannot be read
   */
  public static Optional<ModelCard> card(VersionChoice choice) throws IOException {
    try (ModelRegistry registry = choice.registry().open()) {
      OptionalInt number =
          choice.fixedNumber().isPresent() ? choice.fixedNumber() : registry.serving();
      Optional<ModelVersion> version =
          number.isPresent() ? registry.version(number.getAsInt()) : Optional.empty();
      return version.isPresent() ? ModelCard.of(registry, version.get()) : Optional.empty();
    }
  }

  private static Classifier classifier(ModelSpec spec, Shape shape, int rows) {
    try {
      Classifier classifier = Classifier.of(spec, shape);
      try {
        for (int warmUp : new int[] {1, RecordScorer.capacity(rows, shape.features())}) {
          var unused = classifier.scores(new float[warmUp * shape.features()], warmUp);
        }
        return classifier;
      } catch (RuntimeException e) {
        classifier.close();
        throw e;
      }
    } catch (InvalidModelException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new InvalidModelException("model " + spec.name() + ": cannot score: " + e, e);
    }
  }

  ModelVersion version() {
    return version;
  }

  /** Returns the name of the version, such as {@code v17}. */
  String name() {
    return name;
  }

  /** Returns the names of the classes, or those of the values, which may be empty. */
  List<String> names() {
    return names;
  }

  FeatureReader<T> reader() {
    return reader;
  }

  /**
   * Scores samples.
   *
   * @param features features of at least {@code rows} samples, as the {@link #reader} writes them
   * @return {@code shape().outputs()} numbers for each sample, one sample after the other
   */
  float[] outputs(float[] features, int rows) {
    return classifier.scores(features, rows);
  }

  /** Returns the score that the outputs for a sample give. */
  RecordScore score(float[] outputs, int row) {
    int width = reader.shape().outputs();
    float[] scores = Arrays.copyOfRange(outputs, row * width, (row + 1) * width);
    int best = 0;
    for (int i = 0; i < width; i++) {
      if (!values.isEmpty()) {
        scores[i] = values.get(i).unscaled(scores[i]);
      }
      if (!Float.isFinite(scores[i])) {
        return RecordScore.error(
            name, "the model predicts " + scores[i] + ": the record's numbers are too large");
      }
      if (scores[i] > scores[best]) {
        best = i;
      }
    }
    return new RecordScore(name, scores, reader.shape().hasValues() ? "" : names.get(best), "");
  }

  @Override
  public void close() {
    classifier.close();
  }
}
