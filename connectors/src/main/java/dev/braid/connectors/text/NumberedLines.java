package dev.braid.connectors.text;

import dev.braid.connectors.file.DataFile;
import dev.braid.connectors.file.InvalidSampleException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * The lines of a text file, with their position for error messages. If a line is too long, or not
 * UTF-8, an {@link InvalidSampleException} is thrown, and the next call reads the next line.
 */
final class NumberedLines implements AutoCloseable, TextPlace {

  /**
   * Highest number of bytes in a line; a longer line is a mistake, or an attempt to exhaust the
   * memory.
   */
  static final int MAX_LINE_LENGTH = 1 << 24;

  private static final char BYTE_ORDER_MARK = '\ufeff';
  private static final char REPLACEMENT = '\ufffd';

  private final DataFile file;
  private final InputStream in;
  private final byte[] buffer = new byte[1 << 16];
  private final Deque<Line> again = new ArrayDeque<>();
  private int begin;
  private int end;
  private byte[] bytes = new byte[1 << 8];
  private int linesRead;
  private int line;

  NumberedLines(DataFile file) {
    this(file, file.content());
  }

  /** Creates lines of a stream, which this object owns from now on. */
  NumberedLines(DataFile file, InputStream in) {
    this.file = file;
    this.in = in;
  }

  /**
   * A line without its terminator.
   *
   * @param number the line's number, from 1
   * @param mistake the reason if there is no text
   */
  record Line(int number, String text, Optional<String> mistake) {}

  /** Returns the next line that is not blank, without surrounding blanks. */
  Optional<String> next() {
    for (Optional<Line> next = nextLine(); next.isPresent(); next = nextLine()) {
      String stripped = text(next.get()).strip();
      if (!stripped.isEmpty()) {
        return Optional.of(stripped);
      }
    }
    return Optional.empty();
  }

  /** Returns the next line. */
  Optional<Line> nextLine() {
    Optional<Line> next = again.isEmpty() ? readLine() : Optional.of(again.remove());
    next.ifPresent(found -> line = found.number);
    return next;
  }

  /** Makes {@link #nextLine} return its most recent lines again. */
  void putBack(List<Line> lines) {
    for (int i = lines.size() - 1; i >= 0; i--) {
      again.addFirst(lines.get(i));
    }
  }

  /**
   * Returns the text of a line.
   *
   * @throws InvalidSampleException if the line has no valid text
   */
  String text(Line of) {
    of.mistake.ifPresent(
        mistake -> {
          throw new InvalidSampleException(error(of.number, mistake).getMessage());
        });
    return of.text;
  }

  private Optional<Line> readLine() {
    try {
      int length = readBytes();
      if (length < 0) {
        return Optional.empty();
      }
      linesRead++;
      if (length > MAX_LINE_LENGTH) {
        return Optional.of(mistake("more than " + MAX_LINE_LENGTH + " characters in a line"));
      }
      String text = decoded(length);
      if (text.indexOf(0) >= 0) {
        return Optional.of(mistake("a NUL character: not a text file; save it as UTF-8"));
      }
      boolean marked = linesRead == 1 && !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK;
      return Optional.of(new Line(linesRead, marked ? text.substring(1) : text, Optional.empty()));
    } catch (CharacterCodingException e) {
      return Optional.of(mistake("not UTF-8: save it as UTF-8"));
    } catch (IOException e) {
      throw file.failure(e);
    }
  }

  private Line mistake(String why) {
    return new Line(linesRead, "", Optional.of(why));
  }

  /**
   * Reads a line into {@link #bytes}, which keeps no more than {@link #MAX_LINE_LENGTH} bytes.
   *
   * @return the line's number of bytes, or {@code MAX_LINE_LENGTH + 1} if it is too long; -1 at the
   *     end of the file
   */
  private int readBytes() throws IOException {
    int length = 0;
    boolean isLine = false;
    while (true) {
      if (begin == end) {
        begin = 0;
        end = Math.max(0, in.read(buffer));
        if (end == 0) {
          return isLine ? length : -1;
        }
      }
      isLine = true;
      int stop = begin;
      while (stop < end && buffer[stop] != '\n') {
        stop++;
      }
      length = append(stop - begin, length);
      begin = stop;
      if (stop < end) {
        begin++;
        return length;
      }
    }
  }

  private int append(int count, int length) {
    int together = length + count;
    if (together > MAX_LINE_LENGTH) {
      return MAX_LINE_LENGTH + 1;
    }
    if (together > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(together, 2 * bytes.length));
    }
    System.arraycopy(buffer, begin, bytes, length, count);
    return together;
  }

  private String decoded(int length) throws CharacterCodingException {
    String text = new String(bytes, 0, length, StandardCharsets.UTF_8);
    // The replacement character may be in the file, or may replace malformed bytes.
    return text.indexOf(REPLACEMENT) < 0
        ? text
        : StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, 0, length)).toString();
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
      in.close();
    } catch (IOException e) {
      throw file.failure(e);
    }
  }
}
