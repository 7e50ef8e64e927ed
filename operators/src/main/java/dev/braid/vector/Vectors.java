package dev.braid.vector;

/**
 * Dense arithmetic on parts of {@code float[]}: plain loops in the one form that the JIT compiler
 * turns into vector instructions. Element i of a result depends on element i of the operands only,
 * so vector width never changes a bit.
 */
public final class Vectors {

  private Vectors() {}

  /** {@code into[i] += addend[i]} over {@code length} elements. */
  public static void add(
      float[] into, int intoOffset, float[] addend, int addendOffset, int length) {
    for (int i = 0; i < length; i++) {
      into[intoOffset + i] += addend[addendOffset + i];
    }
  }

  /** {@code into[i] -= subtrahend[i]} over {@code length} elements. */
  public static void subtract(
      float[] into, int intoOffset, float[] subtrahend, int subtrahendOffset, int length) {
    for (int i = 0; i < length; i++) {
      into[intoOffset + i] -= subtrahend[subtrahendOffset + i];
    }
  }

  /** {@code into[i] = minuend[i] - into[i]} over {@code length} elements. */
  public static void subtractFrom(
      float[] into, int intoOffset, float[] minuend, int minuendOffset, int length) {
    for (int i = 0; i < length; i++) {
      into[intoOffset + i] = minuend[minuendOffset + i] - into[intoOffset + i];
    }
  }

  /** {@code result[i] = left[i] + right[i]} over {@code length} elements. */
  public static void sum(
      float[] result,
      int resultOffset,
      float[] left,
      int leftOffset,
      float[] right,
      int rightOffset,
      int length) {
    for (int i = 0; i < length; i++) {
      result[resultOffset + i] = left[leftOffset + i] + right[rightOffset + i];
    }
  }

  /** {@code result[i] = first[i] + (left[i] + right[i])} over {@code length} elements. */
  public static void sumOfThree(
      float[] result,
      int resultOffset,
      float[] first,
      int firstOffset,
      float[] left,
      int leftOffset,
      float[] right,
      int rightOffset,
      int length) {
    for (int i = 0; i < length; i++) {
      result[resultOffset + i] =
          first[firstOffset + i] + (left[leftOffset + i] + right[rightOffset + i]);
    }
  }

  /** {@code into[i] = (into[i] + other[i]) / 2} over {@code length} elements. */
  public static void mean(
      float[] into, int intoOffset, float[] other, int otherOffset, int length) {
    for (int i = 0; i < length; i++) {
      into[intoOffset + i] = (into[intoOffset + i] + other[otherOffset + i]) * 0.5f;
    }
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
