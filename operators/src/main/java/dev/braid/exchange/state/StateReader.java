package dev.braid.exchange.state;

import java.io.DataInput;
import java.io.IOException;

/**
 * Reads numbers of an exchange's state. A checkpoint is a file that somebody else may have handed
 * over: a number that no exchange writes is refused, before anything is done or made by it.
 */
public final class StateReader {

  private StateReader() {}

  /** An int from least to most. */
  public static int readInt(DataInput in, int least, int most, String what) throws IOException {
    int value = in.readInt();
    check(value, least, most, what);
    return value;
  }

  /** A long from least on. */
  public static long readLong(DataInput in, long least, String what) throws IOException {
    long value = in.readLong();
    check(value, least, Long.MAX_VALUE, what);
    return value;
  }

  private static void check(long value, long least, long most, String what) throws IOException {
    if (value < least || value > most) {
      throw new IOException(
          "the exchange's state: " + what + " " + value + ": must be " + least + " to " + most);
    }
  }
}
