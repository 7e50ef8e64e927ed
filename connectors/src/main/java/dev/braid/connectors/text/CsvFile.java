package dev.braid.connectors.text;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.CsvRecordHandler;
import de.siegmar.fastcsv.reader.FieldModifiers;
import dev.braid.connectors.file.DataFile;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.files.Printable;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * The rows of a table: cells with commas, semicolons, tabs or bars between, quoted or not. Which
 * one separates them is found in the first line: the one that gives most cells. Blank lines are
 * skipped, and blanks around a cell are no part of it.
 */
final class CsvFile implements TableRows.Source {

  /** Columns beyond this are a mistake: each has a name, a mean and a deviation. */
  static final int MAX_COLUMNS = 1 << 17;

  /** Letters of a cell, also of one whose quote was never closed. */
  static final int MAX_CELL_LENGTH = 1 << 16;

  /** What comes first is chosen where two give as many cells. */
  private static final List<Character> SEPARATORS = List.of('\t', ';', '|', ',');

  private static final int MAX_FIRST_LINE = 1 << 20;

  private final DataFile file;
  private final BufferedReader reader;
  private final Iterator<CsvRecord> records;
  private int line = 1;

  CsvFile(DataFile file) {
    this.file = file;
    this.reader = new BufferedReader(DataFile.utf8(file.content()), 1 << 16);
    try {
      this.records = builder(separator()).build(handler(), reader).iterator();
    } catch (IOException e) {
      throw file.failure(e);
    }
  }

  @Override
  public Optional<List<String>> next() {
    try {
      while (records.hasNext()) {
        CsvRecord row = records.next();
        line = Math.toIntExact(row.getStartingLineNumber());
        if (row.getFieldCount() > 1 || !row.getField(0).isEmpty()) {
          return Optional.of(row.getFields());
        }
      }
      return Optional.empty();
    } catch (UncheckedIOException e) {
      throw file.failure(e.getCause());
    } catch (CsvParseException e) {
      throw broken(e);
    }
  }

  private InvalidDataException broken(CsvParseException e) {
    if (e.getCause() instanceof IOException cause) {
      return file.failure(cause);
    }
    return new InvalidDataException(
        "%s: after line %d: no CSV, perhaps a quote that is not closed: %s"
            .formatted(file.name(), line, reason(e)),
        e);
  }

  /** The first sentence of what FastCSV says. */
  static String reason(CsvParseException e) {
    Throwable reason = e.getCause() == null ? e : e.getCause();
    return String.valueOf(reason.getMessage()).replaceFirst("(?s)\\.\\s.*", "");
  }

  static CsvReader.CsvReaderBuilder builder(char separator) {
    return CsvReader.builder()
        .fieldSeparator(separator)
        .detectBomHeader(false)
        .skipEmptyLines(true)
        .allowExtraFields(true)
        .allowMissingFields(true)
        .trimWhitespacesAroundQuotes(true)
        .maxBufferSize(2 * MAX_CELL_LENGTH);
  }

  static CsvRecordHandler handler() {
    return CsvRecordHandler.builder()
        .maxFields(MAX_COLUMNS)
        .maxFieldSize(MAX_CELL_LENGTH)
        .maxRecordSize(NumberedLines.MAX_LINE_LENGTH)
        .fieldModifier(FieldModifiers.STRIP)
        .build();
  }

  /** Looks at the first line, and goes back to its beginning. */
  private char separator() throws IOException {
    reader.mark(1);
    if (reader.read() != '\ufeff') {
      reader.reset();
    }
    reader.mark(MAX_FIRST_LINE);
    StringBuilder first = new StringBuilder();
    for (int read = 1; read < MAX_FIRST_LINE; read++) {
      int letter = reader.read();
      if (letter < 0 || (isLineEnd(letter) && !first.toString().isBlank())) {
        break;
      }
      if (!isLineEnd(letter)) {
        first.append((char) letter);
      }
    }
    reader.reset();
    return separator(first.toString().strip());
  }

  private static boolean isLineEnd(int letter) {
    return letter == '\n' || letter == '\r';
  }

  /** The one that gives most cells of a line. */
  static char separator(String line) {
    char best = ',';
    int most = 1;
    for (char separator : SEPARATORS) {
      int cells = cells(line, separator);
      if (cells > most) {
        best = separator;
        most = cells;
      }
    }
    return best;
  }

  private static int cells(String line, char separator) {
    try {
      return builder(separator).ofSingleCsvRecord(handler(), line).getFieldCount();
    } catch (CsvParseException e) {
      // Too many, or too long: reading will say so.
      return line.isEmpty() ? 0 : 1;
    }
  }

  @Override
  public String name() {
    return file.name();
  }

  @Override
  public int line() {
    return line;
  }

  @Override
  public void close() {
    try {
      reader.close();
    } catch (IOException e) {
      throw file.failure(e);
    }
  }
}
