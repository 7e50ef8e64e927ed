package dev.braid.exchange.message;

import dev.braid.codec.CorruptPayloadException;
import dev.braid.codec.HalfPrecision;
import dev.braid.codec.SparseCodec;
import dev.braid.codec.SparseReader;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import dev.braid.vector.Vectors;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * Values as they travel: it knows what it takes on the wire, and adds itself to a vector. Whoever
 * receives one owns it, and releases it.
 */
public sealed interface Payload {

  /** How many elements it has a value for. */
  int length();

  /** What it takes on the wire. */
  long bytes();

  /** One value for each element; a view, to be read until it is released. */
  Slice dense();

  /** Adds the values to a vector's elements from an index on. */
  void addTo(float[] vector, int index);

  /** Writes the values over a vector's elements from an index on. */
  void copyTo(float[] vector, int index);

  /** Gives the memory of the values back to whom it belongs. */
  void release();

  /**
   * The same values, in memory that is lent for it, if they are in any that may change.
   *
   * @param lender of slices of so many elements
   */
  Payload copy(IntFunction<Slice> lender);

  /** The same values in memory that nobody else has or changes. */
  default Payload copy() {
    return copy(length -> Slice.view(new float[length], 0, length));
  }

  default boolean isEmpty() {
    return length() == 0;
  }

  /** Of a body that carries no values, or leaves them out. */
  static Payload none() {
    return Dense.NONE;
  }

  /** Float32 values, one after the other. */
  static Payload of(Slice values) {
    return values.length() == 0 ? none() : new Dense(values);
  }

  /** A view of a part of a vector, which must not change before it is sent. */
  static Payload view(float[] vector, Range range) {
    return of(Slice.view(vector, range));
  }

  /** With a float32 for each element in memory, whatever it takes on the wire. */
  sealed interface InMemory extends Payload {

    /** One for each element. */
    Slice values();

    @Override
    default int length() {
      return values().length();
    }

    @Override
    default Slice dense() {
      return values();
    }

    @Override
    default void addTo(float[] vector, int index) {
      Vectors.add(vector, index, values());
    }

    @Override
    default void copyTo(float[] vector, int index) {
      Slice from = values();
      System.arraycopy(from.array(), from.offset(), vector, index, from.length());
    }

    @Override
    default void release() {
      values().release();
    }

    /** The values, in memory that is lent for them. */
    default Slice copied(IntFunction<Slice> lender) {
      Slice copy = lender.apply(length());
      copyTo(copy.array(), copy.offset());
      return copy;
    }
  }

  /**
   * Every value as a float32.
   *
   * @param values one for each element
   */
  record Dense(Slice values) implements InMemory {

    private static final Dense NONE = new Dense(Slice.EMPTY);

    @Override
    public long bytes() {
      return bytesOf(values.length());
    }

    /** What so many values take. */
    public static long bytesOf(long length) {
      return Float.BYTES * length;
    }

    @Override
    public Dense copy(IntFunction<Slice> lender) {
      return isEmpty() ? this : new Dense(copied(lender));
    }
  }

  /**
   * Values of 16 bits, as float32: only on the wire they take two bytes each.
   *
   * @param form which values there are
   * @param values one for each element, each of which the form has
   */
  record Half(HalfPrecision form, Slice values) implements InMemory {

    /** What a value takes. */
    public static final int VALUE_BYTES = Short.BYTES;

    /**
     * Writes values over a slice as long, each {@linkplain HalfPrecision#round rounded}.
     *
     * @return whether the form has all of them then: it has none that is beyond its range
     */
    public static boolean round(HalfPrecision form, Slice values, Slice into) {
      float largest = form.largest();
      boolean isInRange = true;
      for (int i = 0; i < values.length(); i++) {
        float rounded = form.round(values.array()[values.offset() + i]);
        into.array()[into.offset() + i] = rounded;
        isInRange &= !(Math.abs(rounded) > largest);
      }
      return isInRange;
    }

    /** Whether a form has all of these values, so that rounding changes none. */
    public static boolean hasAll(HalfPrecision form, Slice values) {
      boolean hasAll = true;
      for (int i = 0; i < values.length(); i++) {
        hasAll &= form.has(values.array()[values.offset() + i]);
      }
      return hasAll;
    }

    @Override
    public long bytes() {
      return (long) VALUE_BYTES * values.length();
    }

    @Override
    public Half copy(IntFunction<Slice> lender) {
      return isEmpty() ? this : new Half(form, copied(lender));
    }
  }

  /**
   * Only the values that are not 0, as {@link SparseCodec} writes them. It never changes, and
   * belongs to nobody: there is nothing to release.
   *
   * @param length how many elements there are
   * @param encoded the values; not to be written into
   */
  record Sparse(int length, byte[] encoded) implements Payload {

    /**
     * Values that have come from elsewhere.
     *
     * @throws CorruptPayloadException if they are not the values of so many elements
     */
    public static Sparse parse(int length, byte[] encoded) {
      if (length == 0) {
        throw new CorruptPayloadException(encoded.length + " bytes of values of no element");
      }
      new SparseReader(encoded, Range.ofLength(length)).check();
      return new Sparse(length, encoded);
    }

    /** The values of a slice; none if they take no less this way. */
    public static Optional<Payload> of(Slice values, SparseCodec codec) {
      Range range = new Range(values.offset(), values.offset() + values.length());
      return codec
          .encodeIfShorter(values.array(), range)
          .map(encoded -> new Sparse(values.length(), encoded));
    }

    @Override
    public long bytes() {
      return encoded.length;
    }

    @Override
    public Sparse copy(IntFunction<Slice> lender) {
      return this;
    }

    /** A copy. */
    @Override
    public Slice dense() {
      float[] vector = new float[length];
      new SparseReader(encoded, Range.ofLength(length)).setIn(vector);
      return Slice.view(vector, 0, length);
    }

    @Override
    public void addTo(float[] vector, int index) {
      new SparseReader(encoded, new Range(index, index + length)).addTo(vector);
    }

    @Override
    public void copyTo(float[] vector, int index) {
      Range range = new Range(index, index + length);
      Arrays.fill(vector, range.start(), range.end(), 0);
      new SparseReader(encoded, range).setIn(vector);
    }

    @Override
    public void release() {}
  }
}
