package dev.braid.exchange.option;

import java.math.BigInteger;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Times as users type them: a number and a unit, in all of Flink's spellings ({@code 10s}, {@code
 * 10 seconds}, {@code PT10S}). Unlike in Flink, where it means milliseconds, a number without a
 * unit is invalid.
 */
public final class TypedTime {

  private static final Pattern FORM = Pattern.compile("\\s*([0-9]+)\\s*(\\S*)\\s*");

  private static final Map<String, ChronoUnit> UNITS = units();

  /** The longest time. Nothing takes longer, and its nanoseconds fit a long many times over. */
  private static final Duration LONGEST = Duration.ofDays(365);

  private TypedTime() {}

  private static Map<String, ChronoUnit> units() {
    Map<String, ChronoUnit> units = new HashMap<>();
    put(units, ChronoUnit.NANOS, List.of("ns"), List.of("nano", "nanosecond"));
    // The micro sign and the Greek letter, which look the same.
    List<String> microseconds = List.of("us", "\u00b5s", "\u03bcs");
    put(units, ChronoUnit.MICROS, microseconds, List.of("micro", "microsecond"));
    put(units, ChronoUnit.MILLIS, List.of("ms"), List.of("milli", "millisecond"));
    put(units, ChronoUnit.SECONDS, List.of("s"), List.of("sec", "second"));
    put(units, ChronoUnit.MINUTES, List.of("m", "min"), List.of("minute"));
    put(units, ChronoUnit.HOURS, List.of("h"), List.of("hour"));
    put(units, ChronoUnit.DAYS, List.of("d"), List.of("day"));
    return Map.copyOf(units);
  }

  private static void put(
      Map<String, ChronoUnit> units, ChronoUnit unit, List<String> signs, List<String> words) {
    signs.forEach(sign -> units.put(sign, unit));
    words.forEach(word -> units.put(word, unit));
    words.forEach(word -> units.put(word + "s", unit));
  }

  /**
   * Parses a time.
   *
   * @throws IllegalArgumentException if the text is not a time, has no unit, or is more than a year
   */
  public static Duration read(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      return notLonger(readIso(text.strip()));
    }
    String unit = form.group(2).toLowerCase(Locale.ROOT);
    if (unit.isEmpty()) {
      throw new IllegalArgumentException(
          "needs a unit: %1$sms, %1$ss or %1$smin".formatted(form.group(1)));
    }
    if (!UNITS.containsKey(unit)) {
      throw none();
    }
    return inUnits(new BigInteger(form.group(1)), UNITS.get(unit));
  }

  /** Parses a time in the format of ISO 8601. */
  private static Duration readIso(String text) {
    Duration time;
    try {
      time = Duration.parse(text);
    } catch (DateTimeParseException e) {
      throw none();
    }
    if (time.isNegative()) {
      throw none();
    }
    return time;
  }

  private static IllegalArgumentException none() {
    return new IllegalArgumentException("must be a time such as 500ms, 10s or 2min");
  }

  private static Duration inUnits(BigInteger amount, ChronoUnit unit) {
    long most = LONGEST.dividedBy(unit.getDuration()) + 1;
    return notLonger(Duration.of(amount.min(BigInteger.valueOf(most)).longValueExact(), unit));
  }

  private static Duration notLonger(Duration time) {
    if (time.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("must be " + LONGEST.toDays() + "d or less");
    }
    return time;
  }
}
