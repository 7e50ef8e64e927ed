package dev.braid.run.result;

import java.util.Locale;

/** Numbers of bytes as people read them: 13.2 MB. */
public final class ByteCount {

  private static final String[] UNITS = {"B", "kB", "MB", "GB", "TB"};

  /** From here on, one digit behind the point shows a thousand. */
  private static final double ROUNDS_TO_THOUSAND = 999.95;

  private ByteCount() {}

  /** With a unit in which it is less than a thousand. */
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
