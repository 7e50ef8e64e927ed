package dev.braid.vector;

/**
 * Dense arithmetic on parts of {@code float[]}. Element i of a result depends on element i of the
 * operands only, so vector width never changes a bit.
 *
 * <p>Loops have one index for all arrays: only such does the JIT compiler turn into vector
 * instructions. Where arrays are read at different indices, an element's result could, for all it
 * knows, be another one's operand; then it takes half of the time to copy values to the same index
 * first.
 */
public final class Vectors {

  private Vectors() {}

  /** {@code into[i] += addend[i]} over a range. */
  public static void add(float[] into, float[] addend, Range range) {
    add(into, addend, range.start(), range.end());
  }

  private static void add(float[] into, float[] addend, int start, int end) {
    for (int i = start; i < end; i++) {
      into[i] += addend[i];
    }
  }

  /** {@code into[start + i] += addend[i]} over all values of a slice; fast if it begins there. */
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

  /** {@code into[i] -= subtrahend[i]} over a range. */
  public static void subtract(float[] into, float[] subtrahend, Range range) {
    int end = range.end();
    for (int i = range.start(); i < end; i++) {
      into[i] -= subtrahend[i];
    }
  }

  /** {@code vector[i] *= factor} over a range. */
  public static void scale(float[] vector, float factor, Range range) {
    int end = range.end();
    for (int i = range.start(); i < end; i++) {
      vector[i] *= factor;
    }
  }

  /** {@code into[i] = minuend[i] - into[i]} over a range. */
  public static void subtractFrom(float[] into, float[] minuend, Range range) {
    int end = range.end();
    for (int i = range.start(); i < end; i++) {
      into[i] = minuend[i] - into[i];
    }
  }

  /**
   * {@code result[start + i] = left[start + i] + right[i]} over all values of a slice.
   *
   * @param result an array that is neither the slice's nor {@code left}
   */
  public static void sum(float[] result, float[] left, int start, Slice right) {
    System.arraycopy(right.array(), right.offset(), result, start, right.length());
    add(result, left, start, start + right.length());
  }

  /** {@code into[i] = (into[i] + other[i]) / 2} over a range. */
  public static void mean(float[] into, float[] other, Range range) {
    int end = range.end();
    for (int i = range.start(); i < end; i++) {
      into[i] = (into[i] + other[i]) * 0.5f;
    }
  }

  /**
   * The Euclidean length of the values over a range. Four sums are kept, as one has to wait for
   * each addition; they are added up in the same order always.
   */
  public static double norm(float[] values, Range range) {
    double first = 0;
    double second = 0;
    double third = 0;
    double fourth = 0;
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
    return Math.sqrt((first + second) + (third + fourth));
  }

  /** Whether every element is a finite number. */
  public static boolean allFinite(float[] vector) {
    // x * 0 is 0 for finite x and NaN otherwise, and NaN survives the sum: no branch in the loop.
    float sum = 0;
    for (float x : vector) {
      sum += x * 0;
    }
    return sum == 0;
  }
}
