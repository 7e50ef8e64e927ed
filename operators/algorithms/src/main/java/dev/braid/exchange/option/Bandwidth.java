package dev.braid.exchange.option;

import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Bandwidths as users type them: bits per second with a unit, as for network cards. */
public final class Bandwidth {

  private static final Pattern FORM =
      Pattern.compile("([0-9]{1,15}(?:\\.[0-9]{1,25})?)(kbit|mbit|gbit)");

  private static final double BITS_PER_BYTE = 8;
  private static final int MEGABIT_DIGITS = 6;

  /** One gigabit per second, in megabits per second. */
  private static final BigDecimal GIGABIT = BigDecimal.valueOf(1000);

  private Bandwidth() {}

  /**
   * Parses a bandwidth and returns it in bytes per second.
   *
   * @throws IllegalArgumentException if the text is not a bandwidth above 0
   */
  public static double bytesPerSecond(String text) {
    Matcher form = FORM.matcher(text);
    double value = form.matches() ? Double.parseDouble(form.group(1)) : 0;
    if (value <= 0) {
      throw new IllegalArgumentException("must be a bandwidth such as 500kbit, 100mbit or 1gbit");
    }
    return value * bitsPerSecond(form.group(2)) / BITS_PER_BYTE;
  }

  /** Returns a bandwidth in the form that {@link #bytesPerSecond} parses. */
  public static String title(double bytesPerSecond) {
    BigDecimal megabits =
        BigDecimal.valueOf(bytesPerSecond * BITS_PER_BYTE).movePointLeft(MEGABIT_DIGITS);
    boolean isGigabits = megabits.compareTo(GIGABIT) >= 0;
    BigDecimal value = isGigabits ? megabits.divide(GIGABIT) : megabits;
    return value.stripTrailingZeros().toPlainString() + (isGigabits ? "gbit" : "mbit");
  }

  private static double bitsPerSecond(String unit) {
    return switch (unit) {
      case "kbit" -> 1e3;
      case "mbit" -> 1e6;
      default -> 1e9;
    };
  }
}
