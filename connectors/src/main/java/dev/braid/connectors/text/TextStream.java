package dev.braid.connectors.text;

import dev.braid.connectors.file.DataFile;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.file.SampleInput;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;

/**
 * Rows of text as numbers for a model, one after the other, as soon as they are there. Labels are
 * read over.
 *
 * <p>All methods throw {@link InvalidDataException} where a row is malformed, or not what the model
 * takes.
 */
public final class TextStream {

  private TextStream() {}

  /** The rows of a table with these columns. */
  public static SampleInput ofTable(DataFile file, InputStream in, TableSchema schema) {
    TableRows rows = new TableRows(new CsvFile(file, in), schema, false);
    return new SampleInput() {
      @Override
      public boolean next(float[] into) {
        Optional<List<String>> row = rows.next();
        row.ifPresent(cells -> rows.read(cells, (feature, number) -> into[feature] = number));
        return row.isPresent();
      }

      @Override
      public List<String> unknownTexts() {
        return rows.unknown().sentences();
      }
    };
  }

  /**
   * The rows of a LibSVM file, with labels or without.
   *
   * @param features how many the model takes
   * @param divisor what numbers are divided by
   */
  public static SampleInput ofLibSvm(DataFile file, InputStream in, int features, float divisor) {
    NumberedLines lines = new NumberedLines(file, in);
    return into -> {
      Optional<String[]> fields = LibSvm.next(lines);
      fields.ifPresent(
          row ->
              LibSvm.read(
                  lines,
                  row,
                  row[0].indexOf(':') < 0 ? 1 : 0,
                  (feature, number) -> {
                    if (feature >= features) {
                      throw lines.error(
                          "index %d: the model takes %d features".formatted(feature + 1, features));
                    }
                    into[feature] = number / divisor;
                  }));
      return fields.isPresent();
    };
  }
}
