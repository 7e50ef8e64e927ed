package dev.braid.connectors;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.text.TableColumn;
import dev.braid.learner.Targets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The range of the values of samples in one column.
 *
 * @param name name of the column, or its number
 * @param least smallest value
 * @param greatest greatest value
 * @param mean mean of all values
 */
public record ValueRange(String name, double least, double greatest, double mean) {

  /**
   * Returns the range of each column.
   *
   * @param values at least one per column, scaled as in {@code columns}
   */
  public static List<ValueRange> of(Targets.Values values, List<TableColumn> columns) {
    List<ValueRange> ranges = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      double least = Double.POSITIVE_INFINITY;
      double greatest = Double.NEGATIVE_INFINITY;
      double sum = 0;
      for (int sample = 0; sample < values.size(); sample++) {
        double value = columns.get(i).unscaled(values.values()[sample * values.width() + i]);
        least = Math.min(least, value);
        greatest = Math.max(greatest, value);
        sum += value;
      }
      ranges.add(new ValueRange(columns.get(i).shownName(), least, greatest, sum / values.size()));
    }
    return ranges;
  }

  /**
   * Checks that training values differ; otherwise there is nothing to learn.
   *
   * @throws InvalidDataException with the first column whose values are all the same
   */
  public static void checkDiffer(String place, List<ValueRange> ranges, int samples) {
    if (samples == 1) {
      throw new InvalidDataException(
          place + ": 1 training sample; needs 2 or more with different values");
    }
    for (ValueRange range : ranges) {
      if (range.least == range.greatest) {
        throw new InvalidDataException(
            String.format(
                Locale.ROOT,
                "%s: all %,d training values of %s are %s: there is nothing to predict",
                place,
                samples,
                range.name,
                range.least));
      }
    }
  }
}
