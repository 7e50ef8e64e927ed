package dev.braid.exchange.option;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times as users type them: a number and a unit, as Flink's are. */
public final class TypedTime {

  private static final Pattern FORM = Pattern.compile("\\s*([0-9]{1,18})\\s*([a-z]*)\\s*");

  private static final Map<String, ChronoUnit> UNITS =
      Map.of(
          "ns", ChronoUnit.NANOS,
          "us", ChronoUnit.MICROS,
          "ms", ChronoUnit.MILLIS,
          "s", ChronoUnit.SECONDS,
          "min", ChronoUnit.MINUTES,
          "m", ChronoUnit.MINUTES,
          "h", ChronoUnit.HOURS,
          "d", ChronoUnit.DAYS);

  /** Nothing lasts longer, and nanoseconds of it still fit a long many times over. */
  private static final Duration LONGEST = Duration.ofDays(365);

  private TypedTime() {}

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException if it is none, has no unit, or is more than a year
   */
  public static Duration read(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches() || !(form.group(2).isEmpty() || UNITS.containsKey(form.group(2)))) {
      throw new IllegalArgumentException("a time such as 500ms, 10s or 2min is needed");
    }
    if (form.group(2).isEmpty()) {
      throw new IllegalArgumentException(
          "a unit is needed: %1$sms, %1$ss or %1$smin".formatted(form.group(1)));
    }
    return inUnits(Long.parseLong(form.group(1)), UNITS.get(form.group(2)));
  }

  private static Duration inUnits(long amount, ChronoUnit unit) {
    if (amount > LONGEST.dividedBy(unit.getDuration())) {
      throw new IllegalArgumentException(LONGEST.toDays() + "d or less is needed");
    }
    return Duration.of(amount, unit);
  }
}
