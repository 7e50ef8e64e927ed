package dev.braid.job.cli;

import java.time.Duration;
import java.util.regex.Pattern;
import org.apache.flink.util.TimeUtils;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

/** How words of a command line become numbers and times. */
public final class Converters {

  /** Nothing lasts longer, and nanoseconds of it still fit a long many times over. */
  private static final Duration LONGEST = Duration.ofDays(365);

  private static final Pattern BARE_NUMBER = Pattern.compile("\\s*\\d+\\s*");

  private Converters() {}

  /** Has a command line read numbers, times and the like as all of Braid's commands do. */
  public static void register(CommandLine commandLine) {
    commandLine.registerConverter(Integer.class, Converters::count);
    commandLine.registerConverter(int.class, Converters::count);
    commandLine.registerConverter(long.class, Converters::wholeNumber);
    commandLine.registerConverter(Long.class, Converters::wholeNumber);
    commandLine.registerConverter(Double.class, Converters::number);
    commandLine.registerConverter(Duration.class, Converters::duration);
  }

  private static Integer count(String text) {
    try {
      return Math.toIntExact(wholeNumber(text));
    } catch (ArithmeticException e) {
      throw new TypeConversionException("a smaller number is needed");
    }
  }

  private static Long wholeNumber(String text) {
    try {
      return Long.valueOf(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("a whole number is needed");
    }
  }

  private static Double number(String text) {
    try {
      return Double.valueOf(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("a number is needed");
    }
  }

  private static Duration duration(String text) {
    if (BARE_NUMBER.matcher(text).matches()) {
      // Flink would take it for milliseconds.
      throw new TypeConversionException(
          "a unit is needed: %1$sms, %1$ss or %1$smin".formatted(text.strip()));
    }
    Duration duration;
    try {
      duration = TimeUtils.parseDuration(text);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new TypeConversionException("a time such as 500ms, 10s or 2min is needed");
    }
    if (duration.compareTo(LONGEST) > 0) {
      throw new TypeConversionException(LONGEST.toDays() + "d or less is needed");
    }
    return duration;
  }
}
