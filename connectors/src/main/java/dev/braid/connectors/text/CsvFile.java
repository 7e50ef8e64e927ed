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

  /** A row that no table has, behind the last one: a quote that is not closed takes it in. */
  private static final String END = "\0end\0";

  /** Message of the parser about a row that is too large. */
  private static final Pattern LIMIT =
      Pattern.compile(
          "(?:Field at index (\\d+) in r|R)ecord starting at line (\\d+) .*(fields|field size|record size).*");

  /** How its message about a cell that does not fit into its buffer begins. */
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

  /** A table with {@link #END} behind its last row. */
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

  /** Refuses NUL, which no text has: the file has another encoding, or is damaged. */
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

  /** Returns what is wrong with a row, without its place. */
  static String mistake(CsvParseException e) {
    String reason = reason(e);
    Matcher limit = LIMIT.matcher(reason);
    if (!limit.matches()) {
      return reason.startsWith(FULL) ? tooLong("a cell") : "no CSV: " + reason;
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

  /** The first sentence of what FastCSV says. */
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
