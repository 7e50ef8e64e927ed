package dev.braid.chaos.sim;

import dev.braid.exchange.message.Payload;
import dev.braid.vector.Slice;
import java.util.Arrays;

/**
 * Lends the values of received messages, and overwrites values when they are released: a value that
 * is used after its release turns the sum into NaN.
 */
final class Loans {

  /** Offset of lent values, which is not 0, so that a forgotten offset shows. */
  private static final int OFFSET = 3;

  private long outstanding;
  private int attempt;

  /** Returns the values for a rank in the same process. */
  Payload withinProcess(Payload payload) {
    return payload.withinProcess(this::lend);
  }

  private Slice lend(int length) {
    float[] array = new float[OFFSET + length];
    Arrays.fill(array, 0, OFFSET, Float.NaN);
    outstanding++;
    int ofAttempt = attempt;
    return Slice.lent(array, OFFSET, length, it -> takeBack(it, ofAttempt));
  }

  /** Returns the number of copies that have not been released. */
  long outstanding() {
    return outstanding;
  }

  /** Forgets the loans of all ranks, which have crashed. */
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
