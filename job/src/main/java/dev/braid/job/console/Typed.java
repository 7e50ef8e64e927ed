package dev.braid.job.console;

import java.math.BigDecimal;

/** Options as a user types them. */
public final class Typed {

  /** Beyond, and below its inverse, many digits are zeros that nobody types. */
  private static final double MANY_DIGITS = 1e9;

  private Typed() {}

  /** A number without digits that say nothing: 97, and not 97.0. */
  public static String number(double value) {
    double size = Math.abs(value);
    boolean isShort = value == 0 || (size >= 1 / MANY_DIGITS && size <= MANY_DIGITS);
    return isShort
        ? BigDecimal.valueOf(value).stripTrailingZeros().toPlainString()
        : Double.toString(value);
  }
}
