package dev.braid.connectors.text;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import dev.braid.connectors.file.DataFile;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.file.InvalidSampleException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;

/**
 * The rows of a table, read line by line, so that an invalid line does not affect later ones. A
 * {@link CsvFile}, which reads a table as a whole, would search for the end of a quote in the rest
 * of the file.
 */
final class CsvLines implements TableRows.Source {

  /** Highest number of lines in one row; a quote that is open for longer is a mistake. */
  private static final int MAX_LINES = 1000;

  /**
   * Text that is appended after a line. It is a separate row, unless a quote is open at the line's
   * end.
   */
  private static final String MARK = "x";

  private final NumberedLines lines;
  private final boolean spansLines;
  private final Queue<List<String>> rows = new ArrayDeque<>();
  private char separator;
  private boolean isSeparatorKnown;
  private int line;

  /**
   * @param in owned by this object from now on, and read no further than needed
   * @param spansLines whether a row may have several lines, in a quoted cell. If not, a row ends
   *     with its line, so that its answer does not wait for a quote to be closed
   */
  CsvLines(DataFile file, InputStream in, boolean spansLines) {
    this.lines = new NumberedLines(file, in);
    this.spansLines = spansLines;
  }

  @Override
  public Optional<List<String>> next() {
    while (rows.isEmpty()) {
      Optional<NumberedLines.Line> first = lines.nextLine();
      if (first.isEmpty()) {
        return Optional.empty();
      }
      line = first.get().number();
      String text = lines.text(first.get());
      if (!text.isBlank()) {
        readRows(text);
      }
    }
    return Optional.of(rows.remove());
  }

  /** Adds the rows of a line: one, or several if it is the only line of an old Mac's file. */
  private void readRows(String first) {
    if (!isSeparatorKnown) {
      separator = CsvFile.separator(first.strip());
    }
    if (first.indexOf('"') < 0) {
      addAll(parse(first));
      return;
    }
    List<NumberedLines.Line> more = new ArrayList<>();
    StringBuilder text = new StringBuilder(first);
    while (true) {
      List<List<String>> parsed = parse(text + "\n" + MARK);
      int last = parsed.size() - 1;
      if (last > 0 && parsed.get(last).equals(List.of(MARK))) {
        addAll(parsed.subList(0, last));
        return;
      }
      boolean mayGoOn = text.length() <= CsvFile.MAX_CELL_LENGTH && more.size() < MAX_LINES;
      Optional<NumberedLines.Line> next =
          spansLines && mayGoOn ? lines.nextLine() : Optional.empty();
      next.ifPresent(more::add);
      if (next.isEmpty() || next.get().mistake().isPresent()) {
        lines.putBack(more);
        throw mistake("has a quote that is not closed" + (spansLines ? "" : " in its line"));
      }
      text.append('\n').append(next.get().text());
    }
  }

  private void addAll(List<List<String>> parsed) {
    parsed.stream().filter(row -> row.size() > 1 || !row.get(0).isEmpty()).forEach(rows::add);
  }

  private List<List<String>> parse(String text) {
    try (CsvReader<CsvRecord> reader = CsvFile.builder(separator).build(CsvFile.handler(), text)) {
      return reader.stream().map(CsvRecord::getFields).toList();
    } catch (CsvParseException e) {
      throw mistake(CsvFile.mistake(e));
    } catch (IOException e) {
      throw new IllegalStateException("of a text in memory", e);
    }
  }

  private InvalidDataException mistake(String message) {
    return new InvalidSampleException(error(message).getMessage());
  }

  @Override
  public void keepSeparator() {
    isSeparatorKnown = true;
  }

  @Override
  public String name() {
    return lines.name();
  }

  @Override
  public int line() {
    return line;
  }

  @Override
  public void close() {
    lines.close();
  }
}
