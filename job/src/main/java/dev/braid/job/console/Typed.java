package dev.braid.job.console;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;

/** Option values as a user would type them. */
public final class Typed {

  /**
   * Limit above which, and below the inverse of which, a plain decimal would have too many zeros.
   */
  private static final double MANY_DIGITS = 1e9;

  private record Unit(String sign, Duration length) {
    boolean divides(Duration time) {
      return length.multipliedBy(time.dividedBy(length)).equals(time);
    }
  }

  private static final List<Unit> LARGEST_FIRST =
      List.of(
          new Unit("d", Duration.ofDays(1)),
          new Unit("h", Duration.ofHours(1)),
          new Unit("min", Duration.ofMinutes(1)),
          new Unit("s", Duration.ofSeconds(1)),
          new Unit("ms", Duration.ofMillis(1)),
          new Unit("us", Duration.ofNanos(1_000)),
          new Unit("ns", Duration.ofNanos(1)));

  private Typed() {}

  /** Returns a number without superfluous digits: 97 instead of 97.0. */
  public static String number(double value) {
    double size = Math.abs(value);
    boolean isShort = value == 0 || (size >= 1 / MANY_DIGITS && size <= MANY_DIGITS);
    return isShort
        ? BigDecimal.valueOf(value).stripTrailingZeros().toPlainString()
        : Double.toString(value);
  }

  /** Returns a time in the largest unit that gives a whole number: 90s instead of 1.5min. */
  public static String time(Duration time) {
    if (time.isZero()) {
      return "0ms";
    }
    Unit unit = LARGEST_FIRST.stream().filter(it -> it.divides(time)).findFirst().orElseThrow();
    return time.dividedBy(unit.length()) + unit.sign();
  }
}
