package dev.braid.run.training;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.text.TableColumn;
import dev.braid.learner.network.RunningScales;
import java.util.List;
import java.util.Optional;

/**
 * A column: a number, or a text, which becomes one number of the sample for each of its categories,
 * or for each of the buckets of its hashes.
 *
 * @param mean mean that is subtracted from a number, if there is one
 * @param deviation deviation by which the number is then divided
 * @param categories categories of a text, in the order of the sample's numbers
 * @param time whether numbers are days since 1970, written as dates and times
 * @param fill number for a cell without one, if such a cell is not a mistake
 * @param buckets number of buckets, if the hash of a text chooses one of them
 */
record CardFeature(
    int column,
    String name,
    Optional<Double> mean,
    Optional<Double> deviation,
    Optional<List<String>> categories,
    Optional<Boolean> time,
    Optional<Double> fill,
    Optional<Integer> buckets) {

  static CardFeature of(TableColumn column) {
    boolean scaled = column.mean() != 0 || column.deviation() != 1;
    return new CardFeature(
        column.index() + 1,
        column.name(),
        scaled ? Optional.of(column.mean()) : Optional.empty(),
        scaled ? Optional.of(column.deviation()) : Optional.empty(),
        column.categories().isEmpty() ? Optional.empty() : Optional.of(column.categories()),
        column.time() ? Optional.of(true) : Optional.empty(),
        Double.isNaN(column.fill()) ? Optional.empty() : Optional.of(column.fill()),
        column.isHashed() ? Optional.of(column.buckets()) : Optional.empty());
  }

  TableColumn toColumn() {
    if (mean.isPresent() != deviation.isPresent()) {
      throw new InvalidDataException(
          "column %d: a mean and a deviation are needed, or neither".formatted(column));
    }
    return new TableColumn(
        column - 1,
        name,
        mean.orElse(0.0),
        deviation.orElse(1.0),
        categories.orElse(List.of()),
        time.orElse(false),
        fill.orElse(Double.NaN),
        buckets.orElse(0));
  }

  /** Returns whether the column is a number, which may have a scale. */
  boolean isNumber() {
    return categories.isEmpty() && buckets.isEmpty();
  }

  /**
   * Returns the column with a further standardization after its own scale.
   *
   * @param scale scale to apply; the scale of a constant feature makes every number 0
   */
  CardFeature scaledBy(RunningScales.Scale scale) {
    double before = deviation.orElse(1.0);
    double after = scale.deviation() > 0 ? before * scale.deviation() : Double.MAX_VALUE;
    return new CardFeature(
        column,
        name,
        Optional.of(mean.orElse(0.0) + before * scale.mean()),
        Optional.of(Math.min(after, Double.MAX_VALUE)),
        categories,
        time,
        fill,
        buckets);
  }
}
