package dev.braid.exchange.option;

import java.util.Arrays;
import java.util.function.DoublePredicate;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The syntax of an option's values.
 *
 * @param type type of a value; {@link java.io.Serializable}, because values are sent to the workers
 *     with the job
 * @param range the valid values, for help: "1 or more"
 * @param reader parser of typed text; throws an {@link IllegalArgumentException} that says what is
 *     needed, such as "must be 1 or more"
 * @param shown conversion to a number or a text of JSON, which can be typed as well
 */
public record ValueForm<T>(
    Class<T> type, String range, Function<String, T> reader, Function<T, Object> shown) {

  /** Returns the form of whole numbers from {@code least} to {@code most}. */
  public static ValueForm<Integer> wholeNumber(int least, int most) {
    String range = most == Integer.MAX_VALUE ? least + " or more" : least + " to " + most;
    return new ValueForm<>(
        Integer.class, range, text -> wholeNumber(text, least, most, range), value -> value);
  }

  private static int wholeNumber(String text, int least, int most, String range) {
    long value;
    try {
      value = Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("must be a whole number", e);
    }
    if (value > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("must be a smaller number");
    }
    if (value < least || value > most) {
      throw new IllegalArgumentException("must be " + range);
    }
    return (int) value;
  }

  /**
   * Returns the form of numbers that a condition accepts.
   *
   * @param range the valid numbers, for help and errors: "above 0"
   */
  public static ValueForm<Double> number(String range, DoublePredicate valid) {
    return new ValueForm<>(Double.class, range, text -> number(text, range, valid), value -> value);
  }

  private static double number(String text, String range, DoublePredicate valid) {
    double value;
    try {
      value = Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("must be a number", e);
    }
    if (!Double.isFinite(value) || !valid.test(value)) {
      throw new IllegalArgumentException("must be " + range);
    }
    return value;
  }

  /** Returns the form of an enum's constants, by their names. */
  public static <T extends Enum<T>> ValueForm<T> word(Class<T> type, Function<T, String> name) {
    String names =
        Arrays.stream(type.getEnumConstants()).map(name).collect(Collectors.joining(", "));
    return new ValueForm<>(type, names, text -> named(type, name, text, names), name::apply);
  }

  private static <T extends Enum<T>> T named(
      Class<T> type, Function<T, String> name, String text, String names) {
    return Arrays.stream(type.getEnumConstants())
        .filter(value -> name.apply(value).equals(text))
        .findFirst()
        .orElseThrow(() -> new UnknownWordException(text, names));
  }

  /** Returns the form of {@code on} and {@code off}. */
  public static ValueForm<Boolean> onOff() {
    String range = "on, off";
    return new ValueForm<>(
        Boolean.class,
        range,
        text -> isOn(text, range),
        value -> Boolean.TRUE.equals(value) ? "on" : "off");
  }

  private static boolean isOn(String text, String range) {
    return switch (text) {
      case "on" -> true;
      case "off" -> false;
      default -> throw new UnknownWordException(text, range);
    };
  }
}
