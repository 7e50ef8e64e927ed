package dev.braid.job.console;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;

/** Options as a user types them. */
public final class Typed {

  /** Beyond, and below its inverse, many digits are zeros that nobody types. */
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

  /** A number without digits that say nothing: 97, and not 97.0. */
  public static String number(double value) {
    double size = Math.abs(value);
    boolean isShort = value == 0 || (size >= 1 / MANY_DIGITS && size <= MANY_DIGITS);
    return isShort
        ? BigDecimal.valueOf(value).stripTrailingZeros().toPlainString()
        : Double.toString(value);
  }

  /** A time in the largest unit of which it is a whole number: 90s, and not 1.5min. */
  public static String time(Duration time) {
    if (time.isZero()) {
      return "0ms";
    }
    Unit unit = LARGEST_FIRST.stream().filter(it -> it.divides(time)).findFirst().orElseThrow();
    return time.dividedBy(unit.length()) + unit.sign();
  }
}
