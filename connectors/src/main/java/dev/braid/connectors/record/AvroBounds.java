package dev.braid.connectors.record;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.types.logical.RowType;

/**
 * Checks the lengths in a record in Avro's binary encoding before Avro reads it. Avro allocates
 * whatever a length says, replaces bytes that are no UTF-8, and takes bytes that follow a record
 * for the beginning of the next one. Belongs to one thread.
 */
final class AvroBounds {

  /** The type of a field, which may be null. */
  private enum Kind {
    FLOAT,
    STRING,
    ARRAY
  }

  /** The second type of a union, as a zigzag number; the first one, null, is 0. */
  private static final int SECOND = 2;

  private static final int MAX_SHIFT = 63;
  private static final int BITS = 7;

  private final List<String> names;
  private final List<Kind> kinds = new ArrayList<>();
  private final int mostNumbers;
  private final CharsetDecoder utf8 = StandardCharsets.UTF_8.newDecoder();

  private byte[] value = {};
  private int at;
  private String name = "";

  /**
   * Creates the check.
   *
   * @param row nullable floats, strings and arrays of nullable floats
   * @param mostNumbers the length of the longest array
   */
  AvroBounds(RowType row, int mostNumbers) {
    this.names = row.getFieldNames();
    this.mostNumbers = mostNumbers;
    row.getChildren()
        .forEach(
            type ->
                kinds.add(
                    switch (type.getTypeRoot()) {
                      case FLOAT -> Kind.FLOAT;
                      case ARRAY -> Kind.ARRAY;
                      default -> Kind.STRING;
                    }));
  }

  /**
   * Checks a value.
   *
   * @throws InvalidRecordException if it is not exactly one record with these fields
   */
  void check(byte[] record) {
    value = record;
    at = 0;
    for (int i = 0; i < kinds.size(); i++) {
      name = names.get(i);
      if (isPresent()) {
        switch (kinds.get(i)) {
          case FLOAT -> skip(Float.BYTES);
          case STRING -> skipText();
          case ARRAY -> skipArray();
        }
      }
    }
    if (at < value.length) {
      throw new InvalidRecordException(
          "%d bytes follow the Avro record, which has other fields".formatted(value.length - at));
    }
  }

  private boolean isPresent() {
    int type = next();
    if (type != 0 && type != SECOND) {
      throw mistake("byte %d is neither null nor a value".formatted(at - 1));
    }
    return type == SECOND;
  }

  private void skipText() {
    long length = number();
    int start = at;
    skip(length);
    try {
      utf8.decode(ByteBuffer.wrap(value, start, (int) length));
    } catch (CharacterCodingException e) {
      throw mistake("the text is not UTF-8");
    }
  }

  /** Skips blocks of numbers, each with its count, up to an empty one. */
  private void skipArray() {
    long left = mostNumbers;
    long count = number();
    while (count != 0) {
      if (count < 0) {
        // The size of the block in bytes follows.
        count = -count;
        number();
      }
      if (count < 0 || count > left) {
        throw mistake("more than %d numbers".formatted(mostNumbers));
      }
      left -= count;
      for (long i = 0; i < count; i++) {
        if (isPresent()) {
          skip(Float.BYTES);
        }
      }
      count = number();
    }
  }

  private void skip(long bytes) {
    if (bytes < 0 || bytes > value.length - at) {
      throw mistake("%d bytes of %d".formatted(value.length - at, bytes));
    }
    at += (int) bytes;
  }

  private int next() {
    skip(1);
    return value[at - 1];
  }

  /** Reads a zigzag number of variable length. */
  private long number() {
    long bits = 0;
    for (int shift = 0; shift <= MAX_SHIFT; shift += BITS) {
      int next = next();
      bits |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return (bits >>> 1) ^ -(bits & 1);
      }
    }
    throw mistake("a number of more than 64 bits");
  }

  private InvalidRecordException mistake(String what) {
    return new InvalidRecordException("no Avro record: " + name + ": " + what);
  }
}
