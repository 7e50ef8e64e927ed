package dev.braid.exchange.message;

import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import dev.braid.vector.Vectors;

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

  /**
   * Every value as a float32.
   *
   * @param values one for each element
   */
  record Dense(Slice values) implements Payload {

    private static final Dense NONE = new Dense(Slice.EMPTY);

    @Override
    public int length() {
      return values.length();
    }

    @Override
    public long bytes() {
      return bytesOf(values.length());
    }

    /** What so many values take. */
    public static long bytesOf(long length) {
      return Float.BYTES * length;
    }

    @Override
    public Slice dense() {
      return values;
    }

    @Override
    public void addTo(float[] vector, int index) {
      Vectors.add(vector, index, values);
    }

    @Override
    public void copyTo(float[] vector, int index) {
      System.arraycopy(values.array(), values.offset(), vector, index, values.length());
    }

    @Override
    public void release() {
      values.release();
    }
  }
}
