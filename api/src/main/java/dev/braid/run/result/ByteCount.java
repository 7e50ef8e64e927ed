package dev.braid.run.result;

import java.util.Locale;

/** Formats numbers of bytes for people, such as 13.2 MB. */
public final class ByteCount {

  private static final String[] UNITS = {"B", "kB", "MB", "GB", "TB"};

  /** Least value that one decimal rounds to a thousand; it takes the next unit. */
  private static final double ROUNDS_TO_THOUSAND = 999.95;

  private ByteCount() {}

  /** Returns the number in the unit in which it is less than a thousand. */
  public static String inWords(long bytes) {
    double value = bytes;
    int unit = 0;
    while (value >= ROUNDS_TO_THOUSAND && unit < UNITS.length - 1) {
      value /= 1000;
      unit++;
    }
    return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", value, UNITS[unit]);
  }
}
