package dev.braid.connectors.text;

import dev.braid.connectors.file.DataFile;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.file.InvalidSampleException;
import dev.braid.connectors.file.SampleInput;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;

/**
 * Rows of text as numbers for a model, one after the other, as soon as they arrive. Labels are
 * ignored. A row that is malformed, or does not match the model, causes an {@link
 * InvalidSampleException}, and the rows after it can be read.
 */
public final class TextStream {

  private TextStream() {}

  /**
   * Returns the rows of a table with these columns.
   *
   * @param spansLines whether a row may have several lines, in a quoted cell
   * @return input for a model; it throws {@link InvalidDataException} if columns are missing
   */
  public static SampleInput ofTable(
      DataFile file, InputStream in, TableSchema schema, boolean spansLines) {
    TableRows rows = new TableRows(new CsvLines(file, in, spansLines), schema, false);
    return new SampleInput() {
      @Override
      public boolean next(float[] into) {
        try {
          Optional<List<String>> row = rows.next();
          row.ifPresent(cells -> rows.read(cells, (feature, number) -> into[feature] = number));
          return row.isPresent();
        } catch (InvalidDataException e) {
          throw rows.lacksColumn() ? e : InvalidSampleException.of(e);
        }
      }

      @Override
      public List<String> newUnknownTexts() {
        return rows.unknown().news();
      }

      @Override
      public List<String> unknownTexts() {
        return rows.unknown().sentences(2);
      }
    };
  }

  /**
   * Returns the rows of a LibSVM file, with or without labels.
   *
   * @param features number of features that the model expects
   * @param divisor divisor of all numbers
   */
  public static SampleInput ofLibSvm(DataFile file, InputStream in, int features, float divisor) {
    NumberedLines lines = new NumberedLines(file, in);
    return into -> {
      try {
        Optional<String[]> fields = LibSvm.next(lines);
        fields.ifPresent(row -> readLibSvm(lines, row, features, divisor, into));
        return fields.isPresent();
      } catch (InvalidDataException e) {
        throw InvalidSampleException.of(e);
      }
    };
  }

  private static void readLibSvm(
      NumberedLines lines, String[] row, int features, float divisor, float[] into) {
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
        });
  }
}
