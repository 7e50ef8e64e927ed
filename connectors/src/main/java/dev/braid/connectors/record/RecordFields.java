package dev.braid.connectors.record;

/**
 * Reads the value of a record in one format. The fields of the last value are there, by their
 * {@linkplain RecordLayout#slots slots}, until the next value is read. Belongs to one thread.
 */
sealed interface RecordFields permits AvroFields, CsvFields, JsonFields {

  /** Number that {@link #numbers} writes where an array has null: a NaN that no record gives. */
  float NONE = Float.intBitsToFloat(0x7fc00001);

  /** Creates a reader of records with a layout. */
  static RecordFields of(RecordForm.Format format, RecordLayout layout) {
    return switch (format) {
      case JSON -> new JsonFields(layout.slots());
      case CSV -> new CsvFields(layout.slots().size());
      case AVRO -> new AvroFields(layout.slots());
    };
  }

  /** Returns whether a number of an array is missing. */
  static boolean isNone(float number) {
    return Float.floatToRawIntBits(number) == Float.floatToRawIntBits(NONE);
  }

  /** Returns where a text in UTF-8 begins: behind the mark of the byte order, if it has one. */
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

  /** Returns a field as a text without blanks around it; empty if there is none. */
  String text(int slot);

  /**
   * Returns a field as a number. A field without one is NaN, and so may be a number whose text is
   * long: then {@link #text} decides.
   */
  float number(int slot);

  /**
   * Writes an array that is not null.
   *
   * @param into gets the numbers, {@link #NONE} for null
   * @param at position of the first number
   * @param most numbers to write; any others are only counted
   * @return the length of the array
   */
  int numbers(int slot, float[] into, int at, int most);
}
