package dev.braid.connectors;

import dev.braid.learner.Targets;
import java.util.ArrayList;
import java.util.List;

/**
 * Between which numbers the training samples' values are.
 *
 * @param name of the column, or its number
 */
public record ValueRange(String name, double least, double greatest, double mean) {

  /**
   * Those of each column.
   *
   * @param values scaled as {@code columns} say; at least one of each
   */
  static List<ValueRange> of(Targets.Values values, List<TableColumn> columns) {
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
}
