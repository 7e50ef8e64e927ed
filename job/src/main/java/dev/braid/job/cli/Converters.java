package dev.braid.job.cli;

import dev.braid.exchange.option.TypedTime;
import java.time.Duration;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

/** How words of a command line become numbers and times. */
public final class Converters {

  private Converters() {}

  /** Has a command line read numbers, times and the like as all of Braid's commands do. */
  public static void register(CommandLine commandLine) {
    commandLine.registerConverter(Integer.class, Converters::count);
    commandLine.registerConverter(int.class, Converters::count);
    commandLine.registerConverter(long.class, Converters::wholeNumber);
    commandLine.registerConverter(Long.class, Converters::wholeNumber);
    commandLine.registerConverter(boolean.class, Converters::truth);
    commandLine.registerConverter(Boolean.class, Converters::truth);
    commandLine.registerConverter(Double.class, Converters::number);
    commandLine.registerConverter(Duration.class, Converters::duration);
  }

  private static Integer count(String text) {
    try {
      return Math.toIntExact(wholeNumber(text));
    } catch (ArithmeticException e) {
      throw new TypeConversionException("must be a smaller number");
    }
  }

  private static Long wholeNumber(String text) {
    try {
      return Long.valueOf(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("must be a whole number");
    }
  }

  private static Boolean truth(String text) {
    if (!text.equals("true") && !text.equals("false")) {
      throw new TypeConversionException("must be true or false");
    }
    return Boolean.valueOf(text);
  }

  private static Double number(String text) {
    try {
      return Double.valueOf(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("must be a number");
    }
  }

  private static Duration duration(String text) {
    try {
      return TypedTime.read(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
