package dev.braid.exchange.option;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Bandwidths as users type them: bits a second with a unit, as network cards are sold. */
public final class Bandwidth {

  private static final Pattern FORM =
      Pattern.compile("([0-9]{1,9}(?:\\.[0-9]{1,9})?)(kbit|mbit|gbit)");

  private static final double BITS_PER_BYTE = 8;

  private Bandwidth() {}

  /**
   * Bytes a second.
   *
   * @throws IllegalArgumentException if the text is no bandwidth above 0
   */
  public static double bytesPerSecond(String text) {
    Matcher form = FORM.matcher(text);
    double value = form.matches() ? Double.parseDouble(form.group(1)) : 0;
    if (value <= 0) {
      throw new IllegalArgumentException("a bandwidth such as 500kbit, 100mbit or 1gbit is needed");
    }
    return value * bitsPerSecond(form.group(2)) / BITS_PER_BYTE;
  }

  /** As it could be typed. */
  public static String title(double bytesPerSecond) {
    return String.format(
        Locale.ROOT, "%smbit", bytesPerSecond * BITS_PER_BYTE / bitsPerSecond("mbit"));
  }

  private static double bitsPerSecond(String unit) {
    return switch (unit) {
      case "kbit" -> 1e3;
      case "mbit" -> 1e6;
      default -> 1e9;
    };
  }
}
