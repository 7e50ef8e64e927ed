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
  private int attempt;

  /** A copy of the values. */
  Payload copy(Payload payload) {
    return payload.copy(this::lend);
  }

  private Slice lend(int length) {
    float[] array = new float[OFFSET + length];
    Arrays.fill(array, 0, OFFSET, Float.NaN);
    outstanding++;
    int ofAttempt = attempt;
    return Slice.lent(array, OFFSET, length, it -> takeBack(it, ofAttempt));
  }

  /** How many copies have not been released. */
  long outstanding() {
    return outstanding;
  }

  /** All ranks have crashed: memory that they had borrowed is gone with them. */
  void crash() {
    attempt++;
    outstanding = 0;
  }

  private void takeBack(float[] array, int ofAttempt) {
    Arrays.fill(array, Float.NaN);
    if (ofAttempt == attempt) {
      outstanding--;
    }
  }
}
