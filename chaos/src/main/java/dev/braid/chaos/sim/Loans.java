package dev.braid.chaos.sim;

import dev.braid.exchange.message.Payload;
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
  Payload copy(Payload payload) {
    if (payload.isEmpty()) {
      return Payload.none();
    }
    float[] array = new float[OFFSET + payload.length()];
    Arrays.fill(array, 0, OFFSET, Float.NaN);
    payload.copyTo(array, OFFSET);
    outstanding++;
    return Payload.of(Slice.lent(array, OFFSET, payload.length(), this::takeBack));
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
