package dev.braid.connectors.text;

import dev.braid.connectors.file.DataFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.util.Optional;

/** The lines of a text file, with the place for error messages; blank lines are skipped. */
final class NumberedLines implements AutoCloseable, TextPlace {

  /** A line beyond this is a mistake, or meant to use up memory. */
  static final int MAX_LINE_LENGTH = 1 << 24;

  private final DataFile file;
  private final Reader reader;
  private final char[] buffer = new char[1 << 16];
  private int begin;
  private int end;
  private int line;

  NumberedLines(DataFile file) {
    this(file, file.content());
  }

  /** Lines of a stream, which belongs to this from now on. */
  NumberedLines(DataFile file, InputStream in) {
    this.file = file;
    this.reader = DataFile.utf8(in);
  }

  /** The next line that is not blank, without the blanks around it. */
  Optional<String> next() {
    try {
      for (Optional<String> text = readLine(); text.isPresent(); text = readLine()) {
        line++;
        String stripped = text.get().strip();
        if (stripped.indexOf(0) >= 0) {
          throw error("a NUL character: no text; save the file as UTF-8");
        }
        if (line == 1 && stripped.startsWith("\ufeff")) {
          stripped = stripped.substring(1).strip();
        }
        if (!stripped.isEmpty()) {
          return Optional.of(stripped);
        }
      }
      return Optional.empty();
    } catch (IOException e) {
      throw file.failure(e);
    }
  }

  /** As {@link java.io.BufferedReader} has it, but with a limit; a carriage return is stripped. */
  private Optional<String> readLine() throws IOException {
    StringBuilder text = new StringBuilder();
    while (true) {
      if (begin == end) {
        begin = 0;
        end = Math.max(0, reader.read(buffer));
        if (end == 0) {
          return text.isEmpty() ? Optional.empty() : Optional.of(text.toString());
        }
      }
      int stop = begin;
      while (stop < end && buffer[stop] != '\n') {
        stop++;
      }
      if (text.length() + (stop - begin) > MAX_LINE_LENGTH) {
        throw error(line + 1, "more than " + MAX_LINE_LENGTH + " letters in a line");
      }
      text.append(buffer, begin, stop - begin);
      begin = stop;
      if (stop < end) {
        begin++;
        return Optional.of(text.toString());
      }
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
