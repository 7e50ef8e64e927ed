package dev.braid.vector;

/**
 * Dense arithmetic on parts of {@code float[]}. Element i of a result depends only on element i of
 * the operands, so vector width never changes a bit.
 *
 * <p>Each loop has one index for all arrays, because the JIT compiler vectorises only such loops.
 * If arrays are read at different indices, an element's result could, as far as the compiler knows,
 * be another element's operand. Then it takes half the time to copy values to the same index first.
 */
public final class Vectors {

  private Vectors() {}

  /** Computes {@code into[i] += addend[i]} over a range. */
  public static void add(float[] into, float[] addend, Range range) {
    add(into, addend, range.start(), range.end());
  }

  private static void add(float[] into, float[] addend, int start, int end) {
    for (int i = start; i < end; i++) {
      into[i] += addend[i];
    }
  }

  /**
   * Computes {@code into[start + i] += addend[i]} over all values of a slice. It is fast if the
   * slice's offset is {@code start}.
   */
  public static void add(float[] into, int start, Slice addend) {
    if (addend.offset() == start) {
      add(into, addend.array(), start, start + addend.length());
    } else {
      addShifted(into, start, addend.array(), addend.offset(), addend.length());
    }
  }

  private static void addShifted(float[] into, int start, float[] addend, int offset, int length) {
    for (int i = 0; i < length; i++) {
      into[start + i] += addend[offset + i];
    }
  }

  /** Computes {@code into[i] -= subtrahend[i]} over a range. */
  public static void subtract(float[] into, float[] subtrahend, Range range) {
    int end = range.end();
    for (int i = range.start(); i < end; i++) {
      into[i] -= subtrahend[i];
    }
  }

  /** Computes {@code vector[i] *= factor} over a range. */
  public static void scale(float[] vector, float factor, Range range) {
    int end = range.end();
    for (int i = range.start(); i < end; i++) {
      vector[i] *= factor;
    }
  }

  /** Computes {@code into[i] = minuend[i] - into[i]} over a range. */
  public static void subtractFrom(float[] into, float[] minuend, Range range) {
    int end = range.end();
    for (int i = range.start(); i < end; i++) {
      into[i] = minuend[i] - into[i];
    }
  }

  /**
   * Computes {@code result[start + i] = left[start + i] + right[i]} over all values of a slice.
   *
   * @param result an array that is neither the slice's nor {@code left}
   */
  public static void sum(float[] result, float[] left, int start, Slice right) {
    System.arraycopy(right.array(), right.offset(), result, start, right.length());
    add(result, left, start, start + right.length());
  }

  /** Computes {@code into[i] = (into[i] + other[i]) / 2} over a range. */
  public static void mean(float[] into, float[] other, Range range) {
    int end = range.end();
    for (int i = range.start(); i < end; i++) {
      into[i] = (into[i] + other[i]) * 0.5f;
    }
  }

  /** Number of partial sums of a Euclidean norm. */
  public static final int PARTIAL_SUMS = 4;

  /** Returns the Euclidean norm of the values over a range. */
  public static double norm(float[] values, Range range) {
    double[] squares = new double[PARTIAL_SUMS];
    addSquares(squares, values, range);
    return norm(squares);
  }

  /** Returns the Euclidean norm of values whose squares are in these sums. */
  public static double norm(double[] squares) {
    return Math.sqrt((squares[0] + squares[1]) + (squares[2] + squares[3]));
  }

  /**
   * Adds the squares of the values over a range to {@link #PARTIAL_SUMS} sums, because an addition
   * to one sum must wait for the previous one. A vector may be added in parts: the sums have the
   * same bits if the length of each part but the last is a multiple of {@link #PARTIAL_SUMS}.
   */
  public static void addSquares(double[] squares, float[] values, Range range) {
    double first = squares[0];
    double second = squares[1];
    double third = squares[2];
    double fourth = squares[3];
    int i = range.start();
    for (; i + 3 < range.end(); i += 4) {
      first += (double) values[i] * values[i];
      second += (double) values[i + 1] * values[i + 1];
      third += (double) values[i + 2] * values[i + 2];
      fourth += (double) values[i + 3] * values[i + 3];
    }
    for (; i < range.end(); i++) {
      first += (double) values[i] * values[i];
    }
    squares[0] = first;
    squares[1] = second;
    squares[2] = third;
    squares[3] = fourth;
  }

  /** Returns whether every element is finite. */
  public static boolean allFinite(float[] vector) {
    // x * 0 is 0 for finite x and NaN otherwise, and NaN survives the sum: no branch in the loop.
    float sum = 0;
    for (float x : vector) {
      sum += x * 0;
    }
    return sum == 0;
  }
}
