package dev.braid.connectors.record;

/**
 * Reads the value of a record in one format. The fields of the last value are available by their
 * {@linkplain RecordLayout#slots slots} until the next value is read. An instance belongs to one
 * thread.
 */
sealed interface RecordFields permits AvroFields, CsvFields, JsonFields {

  /** The number that {@link #numbers} writes for a null element: a NaN that no record contains. */
  float NONE = Float.intBitsToFloat(0x7fc00001);

  /** Creates a reader of records with a layout. */
  static RecordFields of(RecordForm.Format format, RecordLayout layout) {
    return switch (format) {
      case JSON -> new JsonFields(layout.slots());
      case CSV -> new CsvFields(layout.slots().size());
      case AVRO -> new AvroFields(layout.slots());
    };
  }

  /** Returns whether an element of an array is missing. */
  static boolean isNone(float number) {
    return Float.floatToRawIntBits(number) == Float.floatToRawIntBits(NONE);
  }

  /** Returns the index at which a UTF-8 text begins: after the byte order mark, if there is one. */
  static int start(byte[] text) {
    boolean hasMark =
        text.length >= 3
            && text[0] == (byte) 0xef
            && text[1] == (byte) 0xbb
            && text[2] == (byte) 0xbf;
    return hasMark ? 3 : 0;
  }

  /**
   * Reads a value.
   *
   * @param value at least one byte
   * @throws InvalidRecordException if it is not exactly one record of the format
   */
  void read(byte[] value);

  /** Returns whether a field is null or missing. */
  boolean isNull(int slot);

  /** Returns a field as a text without surrounding blanks; empty if the field is missing. */
  String text(int slot);

  /**
   * Returns a field as a number. The result is NaN for a field without a number, and may be NaN for
   * a number with a long text: in that case {@link #text} decides.
   */
  float number(int slot);

  /**
   * Writes the elements of an array that is not null.
   *
   * @param into receives the numbers, {@link #NONE} for null
   * @param at position of the first number
   * @param most highest number of elements to write; any others are only counted
   * @return the length of the array
   */
  int numbers(int slot, float[] into, int at, int most);
}
