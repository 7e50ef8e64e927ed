package dev.braid.job.plan;

import dev.braid.connectors.DataLocation;
import dev.braid.connectors.ValueRange;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Description of data in one line. */
final class DataText {

  /**
   * Maximum number of classes or values that are listed; of more classes, only the range of counts
   * is.
   */
  private static final int SHOWN = 12;

  private DataText() {}

  static String of(DataLocation.Contents contents) {
    String features = format("%,d features", contents.shape().features());
    List<ValueRange> ranges = contents.train().values();
    return contents.shape().hasValues()
        ? features + (ranges.isEmpty() ? "" : "; values of " + values(ranges))
        : features
            + format(", %,d classes", contents.location().classNames().size())
            + (contents.countsClasses()
                ? "; samples of "
                    + samples(contents.location().classNames(), contents.train().classCounts())
                : "");
  }

  private static String values(List<ValueRange> ranges) {
    String shown =
        ranges.stream()
            .limit(SHOWN)
            .map(
                range ->
                    format(
                        "%s: %.4g to %.4g, mean %.4g",
                        range.name(), range.least(), range.greatest(), range.mean()))
            .collect(Collectors.joining("; "));
    return ranges.size() <= SHOWN ? shown : shown + format("; and %,d more", ranges.size() - SHOWN);
  }

  private static String samples(List<String> names, List<Integer> counts) {
    return names.size() <= SHOWN
        ? "class "
            + IntStream.range(0, names.size())
                .mapToObj(i -> format("%s: %,d", names.get(i), counts.get(i)))
                .collect(Collectors.joining(", "))
        : format("classes: %,d to %,d each", Collections.min(counts), Collections.max(counts));
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
