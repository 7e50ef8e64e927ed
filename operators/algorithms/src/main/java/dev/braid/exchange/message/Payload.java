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
 * The values of a message. A payload knows its size on the wire and can add its values to a vector.
 * The receiver of a payload owns it and must release it.
 */
public sealed interface Payload {

  /** Returns the number of elements that it has values for. */
  int length();

  /** Returns the size on the wire, in bytes. */
  long bytes();

  /** Returns one value for each element, as a view that is valid until the payload is released. */
  Slice dense();

  /** Adds the values to a vector's elements from {@code index} on. */
  void addTo(float[] vector, int index);

  /** Overwrites a vector's elements from {@code index} on with the values. */
  void copyTo(float[] vector, int index);

  /** Gives the memory of the values back to its owner. */
  void release();

  /**
   * Returns the same values in borrowed memory. A payload that never changes may return itself.
   *
   * @param lender lends a slice of the given number of elements
   */
  Payload copy(IntFunction<Slice> lender);

  /** Returns the same values in memory that is not shared and does not change. */
  default Payload copy() {
    return copy(length -> Slice.view(new float[length], 0, length));
  }

  /**
   * Returns the values for a receiver in the same process: a copy, unless they are a {@linkplain
   * Slice#isSteady() steady} view.
   *
   * @param lender lends a slice of the given number of elements
   */
  default Payload withinProcess(IntFunction<Slice> lender) {
    return copy(lender);
  }

  default boolean isEmpty() {
    return length() == 0;
  }

  /** Returns the payload of a body that carries no values or leaves them out. */
  static Payload none() {
    return Dense.NONE;
  }

  /** Returns a payload of consecutive float32 values. */
  static Payload of(Slice values) {
    return values.length() == 0 ? none() : new Dense(values);
  }

  /**
   * Returns a payload that is a view of a range of a vector. The range must not change before the
   * payload is sent.
   */
  static Payload view(float[] vector, Range range) {
    return of(Slice.view(vector, range));
  }

  /** A payload that has a float32 for each element in memory, whatever its size on the wire. */
  sealed interface InMemory extends Payload {

    /** Returns one value for each element. */
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

    /** Returns the values in borrowed memory. */
    default Slice copied(IntFunction<Slice> lender) {
      Slice copy = lender.apply(length());
      copyTo(copy.array(), copy.offset());
      return copy;
    }
  }

  /**
   * Values that are float32 on the wire.
   *
   * @param values one value for each element
   */
  record Dense(Slice values) implements InMemory {

    private static final Dense NONE = new Dense(Slice.EMPTY);

    @Override
    public long bytes() {
      return bytesOf(values.length());
    }

    /** Returns the size of the given number of values, in bytes. */
    public static long bytesOf(long length) {
      return Float.BYTES * length;
    }

    @Override
    public Dense copy(IntFunction<Slice> lender) {
      return isEmpty() ? this : new Dense(copied(lender));
    }

    @Override
    public Dense withinProcess(IntFunction<Slice> lender) {
      return values.isSteady() ? this : copy(lender);
    }
  }

  /**
   * Values with 16 bits of precision, which are float32 in memory and two bytes each on the wire.
   *
   * @param form format of the values
   * @param values one value for each element, each of which the format represents exactly
   */
  record Half(HalfPrecision form, Slice values) implements InMemory {

    /** Size of a value on the wire, in bytes. */
    public static final int VALUE_BYTES = Short.BYTES;

    /**
     * Writes {@linkplain HalfPrecision#round rounded} values to a slice of the same length.
     *
     * @return whether all rounded values are within the format's range
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

    /**
     * Returns whether a format represents all of these values exactly, so that rounding changes
     * none.
     */
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
   * The nonzero values, as encoded by {@link SparseCodec}. It is immutable and has no owner, so
   * there is nothing to release.
   *
   * @param length number of elements
   * @param encoded the encoded values; must not be changed
   */
  record Sparse(int length, byte[] encoded) implements Payload {

    /**
     * Returns received values after checking them.
     *
     * @throws CorruptPayloadException if they do not encode {@code length} elements
     */
    public static Sparse parse(int length, byte[] encoded) {
      if (length == 0) {
        throw new CorruptPayloadException(
            encoded.length + " bytes of values for 0 elements: must be 1 element or more");
      }
      new SparseReader(encoded, Range.ofLength(length)).check();
      return new Sparse(length, encoded);
    }

    /** Returns the values of a slice; empty if this encoding does not make them shorter. */
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

    /** Returns a copy of the values as a dense vector. */
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
