package dev.braid.connectors.text;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.CsvRecordHandler;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import de.siegmar.fastcsv.reader.FieldModifiers;
import dev.braid.connectors.file.DataFile;
import dev.braid.connectors.file.InvalidDataException;
import java.io.BufferedReader;
import java.io.FilterReader;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The rows of a table: cells separated by commas, semicolons, tabs or bars, quoted or not. The
 * separator is the one that gives the most cells in the first line. Blank lines are skipped, and
 * blanks around a cell are not part of it.
 */
final class CsvFile implements TableRows.Source {

  /**
   * Highest number of columns; more are a mistake, because each has a name, a mean and a deviation.
   */
  static final int MAX_COLUMNS = 1 << 17;

  /** Highest number of characters in a cell, including a cell whose quote is never closed. */
  static final int MAX_CELL_LENGTH = 1 << 16;

  /** The separators; if several give the same number of cells, the first of them is chosen. */
  private static final List<Character> SEPARATORS = List.of('\t', ';', '|', ',');

  private static final int MAX_FIRST_LINE = 1 << 20;

  /** A row that no table has, added after the last one: an unclosed quote includes it. */
  private static final String END = "\0end\0";

  /** Message of the parser about a row that is too large. */
  private static final Pattern LIMIT =
      Pattern.compile(
          "(?:Field at index (\\d+) in r|R)ecord starting at line (\\d+) .*(fields|field"
              + " size|record size).*");

  /** Beginning of the parser's message about a cell that does not fit into its buffer. */
  private static final String FULL = "The maximum buffer size";

  private final DataFile file;
  private final BufferedReader reader;
  private final Iterator<CsvRecord> records;
  private int line = 1;

  CsvFile(DataFile file) {
    this.file = file;
    this.reader = new BufferedReader(DataFile.utf8(file.content()), 1 << 16);
    try {
      this.records = builder(separator()).build(handler(), new Ended(reader)).iterator();
    } catch (IOException e) {
      throw file.failure(e);
    }
  }

  /** A table followed by {@link #END}. */
  private static final class Ended extends FilterReader {
    private final Reader end = new StringReader("\n" + END);
    private boolean ended;

    Ended(Reader in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int read = ended ? -1 : in.read();
      ended |= read < 0;
      return ended ? end.read() : read;
    }

    @Override
    public int read(char[] into, int offset, int length) throws IOException {
      int read = ended ? -1 : in.read(into, offset, length);
      ended |= read < 0;
      return ended ? end.read(into, offset, length) : read;
    }
  }

  @Override
  public Optional<List<String>> next() {
    try {
      while (records.hasNext()) {
        CsvRecord row = records.next();
        boolean isEnd = row.getFieldCount() == 1 && row.getField(0).equals(END);
        if (isEnd && !records.hasNext()) {
          return Optional.empty();
        }
        line = Math.toIntExact(row.getStartingLineNumber());
        checkText(row);
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

  /** Rejects NUL characters, which no text has: the file has another encoding, or is damaged. */
  private void checkText(CsvRecord row) {
    int last = row.getFieldCount() - 1;
    for (int i = 0; i <= last; i++) {
      String cell = row.getField(i);
      if (cell.indexOf(0) >= 0) {
        boolean isOpen = i == last && cell.endsWith(END) && !records.hasNext();
        throw error(
            isOpen
                ? "a quote in column %d is not closed".formatted(i + 1)
                : "a NUL character in column %d: no text; save the table as UTF-8"
                    .formatted(i + 1));
      }
    }
  }

  private InvalidDataException broken(CsvParseException e) {
    if (e.getCause() instanceof IOException cause) {
      return file.failure(cause);
    }
    Matcher limit = LIMIT.matcher(reason(e));
    return limit.matches()
        ? error(Integer.parseInt(limit.group(2)), mistake(e))
        : fileError("after line %d: %s".formatted(line, mistake(e)));
  }

  /** Returns the description of a row's mistake, without its position. */
  static String mistake(CsvParseException e) {
    String reason = reason(e);
    Matcher limit = LIMIT.matcher(reason);
    if (!limit.matches()) {
      return reason.startsWith(FULL) ? tooLong("a cell") : "not CSV: " + reason;
    }
    return switch (limit.group(3)) {
      case "fields" -> "more than %d columns".formatted(MAX_COLUMNS);
      case "record size" ->
          "more than %d characters in a row".formatted(NumberedLines.MAX_LINE_LENGTH);
      default -> tooLong("column " + (1 + Integer.parseInt(limit.group(1))));
    };
  }

  private static String tooLong(String cell) {
    return "more than %d characters in %s: perhaps a quote is not closed"
        .formatted(MAX_CELL_LENGTH, cell);
  }

  /** Returns the first sentence of FastCSV's message. */
  private static String reason(CsvParseException e) {
    Throwable reason = e.getCause() == null ? e : e.getCause();
    return String.valueOf(reason.getMessage()).replaceFirst("(?s)\\.\\s.*", "");
  }

  static CsvReader.CsvReaderBuilder builder(char separator) {
    return CsvReader.builder()
        .fieldSeparator(separator)
        .detectBomHeader(false)
        .skipEmptyLines(true)
        .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
        .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
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

  /** Determines the separator from the first line, and returns to its beginning. */
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

  /** Returns the separator that gives the most cells in a line. */
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
      // Too many columns or too long cells: reading reports it.
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
