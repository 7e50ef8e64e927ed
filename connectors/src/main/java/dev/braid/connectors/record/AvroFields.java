package dev.braid.connectors.record;

import dev.braid.connectors.record.RecordLayout.Slot;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Reads records in Avro's binary encoding, without a header: for each slot a union of null and a
 * float, a string or an array of unions of null and float.
 *
 * <p>Lengths are checked before anything is read or allocated, and so are the encoding of texts and
 * the end of the record.
 */
final class AvroFields implements RecordFields {

  /** The second type of a union, as a zigzag number; the first one, null, is 0. */
  private static final int SECOND = 2;

  /** Bytes of a number in a union that is not null. */
  private static final int NUMBER_BYTES = 1 + Float.BYTES;

  private static final int MAX_SHIFT = 63;
  private static final int BITS = 7;
  private static final int NULL = -1;

  private static final VarHandle FLOAT =
      MethodHandles.byteArrayViewVarHandle(float[].class, ByteOrder.LITTLE_ENDIAN);

  private final List<Slot> slots;

  /** Positions of the fields' values, after the types of their unions; {@link #NULL} for null. */
  private final int[] starts;

  /** Numbers of the arrays, with {@link #NONE} for null; empty for any other field. */
  private final float[][] numbers;

  /** Number of elements of each array. */
  private final int[] lengths;

  private final CharsetDecoder utf8 = StandardCharsets.UTF_8.newDecoder();

  private byte[] value = {};
  private int at;
  private String name = "";

  AvroFields(List<Slot> slots) {
    this.slots = slots;
    this.starts = new int[slots.size()];
    this.lengths = new int[slots.size()];
    this.numbers = new float[slots.size()][];
    for (int i = 0; i < numbers.length; i++) {
      Slot slot = slots.get(i);
      numbers[i] = new float[slot.kind() == Slot.Kind.NUMBERS ? slot.width() : 0];
    }
  }

  // ---- checks ----------------------------------------------------------------------------------

  @Override
  public void read(byte[] record) {
    value = record;
    at = 0;
    for (int i = 0; i < starts.length; i++) {
      Slot slot = slots.get(i);
      name = slot.name();
      starts[i] = NULL;
      if (isPresent()) {
        starts[i] = at;
        switch (slot.kind()) {
          case NUMBER -> skip(Float.BYTES);
          case TEXT -> skipText();
          case NUMBERS -> lengths[i] = readArray(numbers[i]);
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
    long length = varint();
    int start = at;
    skip(length);
    for (int i = start; i < at; i++) {
      if (value[i] < 0) {
        checkUtf8(start, at);
        return;
      }
    }
  }

  private void checkUtf8(int start, int end) {
    try {
      utf8.decode(ByteBuffer.wrap(value, start, end - start));
    } catch (CharacterCodingException e) {
      throw mistake("the text is not UTF-8");
    }
  }

  /** Reads blocks of numbers, each after its count, up to an empty block; returns their total. */
  private int readArray(float[] into) {
    int length = 0;
    for (long count = count(); count != 0; count = count()) {
      if (count < 0 || count > into.length - length) {
        throw mistake("more than %d numbers".formatted(into.length));
      }
      readNumbers(into, length, (int) count);
      length += (int) count;
    }
    return length;
  }

  private void readNumbers(float[] into, int first, int count) {
    byte[] bytes = value;
    int next = at;
    // One check of the length for all numbers, or a check per number if the record is short.
    boolean haveRoom = (long) count * NUMBER_BYTES <= bytes.length - next;
    for (int i = 0; i < count; i++) {
      if (haveRoom && bytes[next] == SECOND) {
        into[first + i] = floatAt(bytes, next + 1);
        next += NUMBER_BYTES;
      } else {
        at = next;
        into[first + i] = readNumber();
        next = at;
      }
    }
    at = next;
  }

  private float readNumber() {
    if (!isPresent()) {
      return NONE;
    }
    skip(Float.BYTES);
    return floatAt(value, at - Float.BYTES);
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

  /** Reads the count of a block. */
  private long count() {
    long count = varint();
    if (count < 0) {
      // The size of the block in bytes follows.
      varint();
    }
    return Math.abs(count);
  }

  /** Reads a zigzag number of variable length. */
  private long varint() {
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
    return new InvalidRecordException("not an Avro record: " + name + ": " + what);
  }

  // ---- fields ----------------------------------------------------------------------------------

  @Override
  public boolean isNull(int slot) {
    return starts[slot] == NULL;
  }

  @Override
  public String text(int slot) {
    if (isNull(slot)) {
      return "";
    }
    if (slots.get(slot).kind() == Slot.Kind.NUMBER) {
      return Float.toString(number(slot));
    }
    at = starts[slot];
    int length = (int) varint();
    return new String(value, at, length, StandardCharsets.UTF_8).strip();
  }

  @Override
  public float number(int slot) {
    return isNull(slot) || slots.get(slot).kind() != Slot.Kind.NUMBER
        ? Float.NaN
        : floatAt(value, starts[slot]);
  }

  /** Returns the number at a position, with any NaN replaced by the canonical one. */
  private static float floatAt(byte[] bytes, int position) {
    float number = (float) FLOAT.get(bytes, position);
    return Float.isNaN(number) ? Float.NaN : number;
  }

  @Override
  public int numbers(int slot, float[] into, int offset, int most) {
    System.arraycopy(numbers[slot], 0, into, offset, Math.min(lengths[slot], most));
    return lengths[slot];
  }
}
