package dev.braid.job.cli;

import dev.braid.exchange.option.TypedTime;
import java.time.Duration;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

/** Conversion of command-line words to numbers, truth values and times. */
public final class Converters {

  private Converters() {}

  /**
   * Registers the conversions of numbers, truth values and times that all of Braid's commands use.
   */
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
