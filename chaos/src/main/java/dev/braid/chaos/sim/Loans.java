package dev.braid.chaos.sim;

import dev.braid.vector.Slice;
import java.util.Arrays;

/**
 * Lends the values of received messages, and spoils what is given back: a value that is used after
 * its release turns the sum into NaN.
 */
final class Loans {

  /** Lent values do not start at 0, so that a forgotten offset shows. */
  private static final int OFFSET = 3;

  private long outstanding;

  /** A copy of the values. */
  Slice copy(Slice values) {
    if (values.length() == 0) {
      return Slice.EMPTY;
    }
    float[] array = new float[OFFSET + values.length()];
    Arrays.fill(array, 0, OFFSET, Float.NaN);
    System.arraycopy(values.array(), values.offset(), array, OFFSET, values.length());
    outstanding++;
    return Slice.lent(array, OFFSET, values.length(), this::takeBack);
  }

  /** How many copies have not been released. */
  long outstanding() {
    return outstanding;
  }

  private void takeBack(float[] array) {
    Arrays.fill(array, Float.NaN);
    outstanding--;
  }
}
