package dev.braid.connectors.record;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;

/**
 * Reads records that are one row of CSV: a cell for each slot, with commas between, with or without
 * an end of the line; a comma may follow the last one. A quote at the beginning of a cell begins a
 * quoted part, in which two quotes stand for one; any other quote stands for itself.
 */
final class CsvFields implements RecordFields {

  /** Highest number of digits up to which all whole numbers and powers of ten are exact doubles. */
  private static final int MOST_DIGITS = 15;

  private static final double[] POWERS = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15
  };

  private final int count;
  private final int[] starts;
  private final int[] ends;
  private final boolean[] hasQuotes;
  private final CharsetDecoder utf8 = StandardCharsets.UTF_8.newDecoder();

  private byte[] value = {};
  private boolean isAscii;

  /**
   * Creates a reader.
   *
   * @param count number of cells in a row
   */
  CsvFields(int count) {
    this.count = count;
    this.starts = new int[count];
    this.ends = new int[count];
    this.hasQuotes = new boolean[count];
  }

  // ---- cells -----------------------------------------------------------------------------------

  @Override
  public void read(byte[] record) {
    value = record;
    isAscii = true;
    int cell = 0;
    int at = RecordFields.start(value);
    while (true) {
      if (cell < count) {
        starts[cell] = at;
        hasQuotes[cell] = false;
      }
      int end = at < value.length && value[at] == '"' ? quoted(cell, at + 1) : plain(cell, at);
      cell++;
      if (end == value.length || value[end] != ',') {
        checkBlank(end);
        break;
      }
      at = end + 1;
    }
    boolean endsWithComma = cell == count + 1 && isBlank(at);
    if (cell != count && !endsWithComma) {
      throw new InvalidRecordException("%d cells: %d are needed".formatted(cell, count));
    }
    if (!isAscii) {
      checkUtf8();
    }
  }

  private void checkBlank(int end) {
    if (!isBlank(end)) {
      throw new InvalidRecordException("has more than one record; each value must be one record");
    }
  }

  private boolean isBlank(int start) {
    for (int at = start; at < value.length; at++) {
      if (value[at] != ' ' && value[at] != '\t' && !isLineEnd(value[at])) {
        return false;
      }
    }
    return true;
  }

  /** Skips a cell without quotes and returns its end. */
  private int plain(int cell, int start) {
    byte[] letters = value;
    int at = start;
    while (at < letters.length && letters[at] != ',') {
      // Most characters need only this one comparison.
      if (letters[at] <= '\r') {
        if (isLineEnd(letters[at])) {
          break;
        }
        check(letters[at]);
      }
      at++;
    }
    if (cell < count) {
      ends[cell] = at;
    }
    return at;
  }

  /** Skips the rest of a cell that begins with a quote, and returns its end. */
  private int quoted(int cell, int start) {
    int at = start;
    boolean hasTwo = false;
    while (at < value.length && (value[at] != '"' || isQuote(at + 1))) {
      boolean isTwo = value[at] == '"';
      hasTwo |= isTwo;
      check(value[at]);
      at += isTwo ? 2 : 1;
    }
    if (at == value.length) {
      throw new InvalidRecordException("cell %d: its quote has no end".formatted(cell + 1));
    }
    if (cell < count) {
      starts[cell] = start;
      ends[cell] = at;
      hasQuotes[cell] = hasTwo;
    }
    do {
      at++;
    } while (at < value.length && (value[at] == ' ' || value[at] == '\t'));
    if (at < value.length && value[at] != ',' && !isLineEnd(value[at])) {
      throw new InvalidRecordException(
          "cell %d: something follows its quoted text".formatted(cell + 1));
    }
    return at;
  }

  private boolean isQuote(int at) {
    return at < value.length && value[at] == '"';
  }

  private static boolean isLineEnd(byte letter) {
    return letter == '\n' || letter == '\r';
  }

  private void check(byte letter) {
    if (letter == 0) {
      throw new InvalidRecordException("has a NUL byte: the value must be CSV in UTF-8");
    }
    isAscii &= letter > 0;
  }

  private void checkUtf8() {
    try {
      utf8.decode(ByteBuffer.wrap(value));
    } catch (CharacterCodingException e) {
      throw new InvalidRecordException("the value is not CSV in UTF-8");
    }
  }

  // ---- fields ----------------------------------------------------------------------------------

  @Override
  public boolean isNull(int slot) {
    return false;
  }

  @Override
  public String text(int slot) {
    int start = starts[slot];
    String text = new String(value, start, ends[slot] - start, StandardCharsets.UTF_8);
    return (hasQuotes[slot] ? text.replace("\"\"", "\"") : text).strip();
  }

  /**
   * Parses digits and a point with the result of {@code Double.parseDouble}, if doubles represent
   * the digits and the power of ten exactly.
   */
  @Override
  public float number(int slot) {
    byte[] letters = value;
    int at = starts[slot];
    int end = ends[slot];
    while (at < end && letters[at] == ' ') {
      at++;
    }
    while (at < end && letters[end - 1] == ' ') {
      end--;
    }
    boolean isNegative = at < end && letters[at] == '-';
    at += isNegative ? 1 : 0;
    long digits = 0;
    int first = at;
    int point = end;
    for (; at < end; at++) {
      int digit = letters[at] - '0';
      if (digit >= 0 && digit <= 9) {
        digits = digits * 10 + digit;
      } else if (letters[at] == '.' && point == end) {
        point = at;
      } else {
        return Float.NaN;
      }
    }
    int digitCount = end - first - (point < end ? 1 : 0);
    if (digitCount == 0 || digitCount > MOST_DIGITS) {
      return Float.NaN;
    }
    double number = digits / POWERS[point < end ? end - 1 - point : 0];
    return (float) (isNegative ? -number : number);
  }

  @Override
  public int numbers(int slot, float[] into, int at, int most) {
    throw new UnsupportedOperationException("CSV has a cell for each number of an array");
  }
}
