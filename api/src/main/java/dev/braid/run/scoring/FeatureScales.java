package dev.braid.run.scoring;

import dev.braid.connectors.image.ImageOptions;
import dev.braid.connectors.record.InvalidRecordException;
import dev.braid.connectors.text.TableColumn;
import dev.braid.connectors.text.TableSchema;
import dev.braid.run.training.ModelCard;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Conversion of the data's numbers to a model's features, according to the model's card.
 *
 * @param columns the column of each feature; empty if all features are the data's numbers
 * @param divisor divisor of the numbers
 * @param images how pixels are normalised
 */
public record FeatureScales(List<TableColumn> columns, float divisor, ImageOptions images) {

  /** Returns the scales of features that are taken as they are. */
  public static FeatureScales plain() {
    return new FeatureScales(List.of(), 1, ImageOptions.NONE);
  }

  /** Returns the scales of a card. */
  public static FeatureScales of(ModelCard card) {
    Optional<TableSchema> scaled =
        card.schema().filter(it -> !it.columns().stream().allMatch(TableColumn::isPlain));
    return new FeatureScales(
        scaled.map(TableSchema::columns).orElse(List.of()).stream()
            .flatMap(column -> Collections.nCopies(column.width(), column).stream())
            .toList(),
        card.divisor(),
        card.imageOptions());
  }

  /**
   * Scales the numbers of a sample in place.
   *
   * @param features array that has {@code width} numbers from the offset on
   * @throws InvalidRecordException if a number is too large
   */
  public void apply(float[] features, int offset, int width) {
    if (columns.isEmpty() && divisor == 1) {
      return;
    }
    for (int i = 0; i < columns.size(); i++) {
      features[offset + i] = columns.get(i).scaled(features[offset + i]);
    }
    if (divisor != 1) {
      for (int i = offset; i < offset + width; i++) {
        features[i] /= divisor;
      }
      images.normalize(features, offset, width);
    }
    for (int i = 0; i < width; i++) {
      if (!Float.isFinite(features[offset + i])) {
        throw new InvalidRecordException("feature " + i + " is too large");
      }
    }
  }
}
