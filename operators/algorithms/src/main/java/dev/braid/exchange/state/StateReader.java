package dev.braid.exchange.state;

import java.io.DataInput;
import java.io.IOException;

/**
 * Reader of numbers in an exchange's state. A checkpoint is a file that may come from an untrusted
 * source, so a number that no exchange writes is rejected before it is used.
 */
public final class StateReader {

  private StateReader() {}

  /**
   * Reads an int.
   *
   * @param least least valid value
   * @param most greatest valid value
   * @param what name of the number in the error message
   * @throws IOException if the value is out of range
   */
  public static int readInt(DataInput in, int least, int most, String what) throws IOException {
    int value = in.readInt();
    check(value, least, most, what);
    return value;
  }

  /**
   * Reads a long.
   *
   * @param least least valid value
   * @param what name of the number in the error message
   * @throws IOException if the value is out of range
   */
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
