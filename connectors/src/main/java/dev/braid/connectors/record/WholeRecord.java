package dev.braid.connectors.record;

/**
 * Checks that a record is one value from its first byte to its last. The formats of Flink's tables
 * read the first value and ignore the rest, so that samples would be lost in silence. Whether the
 * value itself is right is up to the format.
 */
final class WholeRecord {

  /** Objects and arrays in each other. Parsers need stack for each. */
  private static final int MAX_DEPTH = 100;

  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

  private WholeRecord() {}

  /**
   * Checks that a value is one JSON object.
   *
   * @throws InvalidRecordException if something else precedes or follows it, or it has no end
   */
  static void checkObject(byte[] value) {
    int at = afterBlanks(value, afterMark(value));
    if (at == value.length || value[at] != '{') {
      throw new InvalidRecordException("the value is no JSON object");
    }
    int depth = 0;
    boolean isText = false;
    for (; at < value.length; at++) {
      byte letter = value[at];
      if (isText) {
        isText = letter != '"';
        at += letter == '\\' ? 1 : 0;
        continue;
      }
      switch (letter) {
        case '"' -> isText = true;
        case '{', '[' -> depth++;
        case '}', ']' -> depth--;
        case 0 -> throw new InvalidRecordException("a NUL byte: the value is no JSON in UTF-8");
        default -> {}
      }
      if (depth > MAX_DEPTH) {
        throw new InvalidRecordException(
            "the JSON object has more than " + MAX_DEPTH + " levels of objects and arrays");
      }
      if (depth == 0) {
        checkEnd(value, at + 1);
        return;
      }
    }
    throw new InvalidRecordException("the JSON object has no end");
  }

  /**
   * Checks that a value is one row of CSV, with or without an end of the line.
   *
   * @throws InvalidRecordException if another row follows
   */
  static void checkRow(byte[] value) {
    boolean isQuoted = false;
    boolean isCellStart = true;
    for (int at = 0; at < value.length; at++) {
      byte letter = value[at];
      if (isQuoted) {
        // Of two quotes, the first ends the quoted part and the second begins another.
        isQuoted = letter != '"';
        isCellStart = !isQuoted;
        continue;
      }
      switch (letter) {
        case '\n', '\r' -> {
          checkEnd(value, at);
          return;
        }
        case 0 -> throw new InvalidRecordException("a NUL byte: the value is no CSV in UTF-8");
        default -> {}
      }
      isQuoted = isCellStart && letter == '"';
      isCellStart = letter == ',';
    }
  }

  private static void checkEnd(byte[] value, int end) {
    if (afterBlanks(value, end) < value.length) {
      throw new InvalidRecordException("something follows the record: one in each value is needed");
    }
  }

  private static int afterBlanks(byte[] value, int from) {
    int at = from;
    while (at < value.length && isBlank(value[at])) {
      at++;
    }
    return at;
  }

  private static boolean isBlank(byte letter) {
    return letter == ' ' || letter == '\t' || letter == '\n' || letter == '\r';
  }

  private static int afterMark(byte[] value) {
    int length = BYTE_ORDER_MARK.length;
    boolean hasMark =
        value.length >= length
            && value[0] == BYTE_ORDER_MARK[0]
            && value[1] == BYTE_ORDER_MARK[1]
            && value[2] == BYTE_ORDER_MARK[2];
    return hasMark ? length : 0;
  }
}
