package dev.braid.exchange.option;

import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * How values of an option are typed and shown.
 *
 * @param type of a value; {@link java.io.Serializable}, as it goes to the workers with the job
 * @param reader of what is typed; throws an {@link IllegalArgumentException} that says what is
 *     needed, such as "1 or more is needed"
 * @param shown as a number or a text of JSON, which could be typed as well
 */
public record ValueForm<T>(Class<T> type, Function<String, T> reader, Function<T, Object> shown) {

  /** Whether this is a value. */
  public boolean takes(String text) {
    try {
      return type.isInstance(reader.apply(text));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Whole numbers within bounds. */
  public static ValueForm<Integer> wholeNumber(int least, int most) {
    return new ValueForm<>(Integer.class, text -> wholeNumber(text, least, most), value -> value);
  }

  private static int wholeNumber(String text, int least, int most) {
    long value;
    try {
      value = Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("a whole number is needed", e);
    }
    if (value > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("a smaller number is needed");
    }
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          most == Integer.MAX_VALUE
              ? least + " or more is needed"
              : least + " to " + most + " is needed");
    }
    return (int) value;
  }

  /** One of an enum's names. */
  public static <T extends Enum<T>> ValueForm<T> word(Class<T> type, Function<T, String> name) {
    return new ValueForm<>(type, text -> named(type, name, text), name::apply);
  }

  private static <T extends Enum<T>> T named(Class<T> type, Function<T, String> name, String text) {
    return Arrays.stream(type.getEnumConstants())
        .filter(value -> name.apply(value).equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new UnknownWordException(
                    Arrays.stream(type.getEnumConstants())
                        .map(name)
                        .collect(Collectors.joining(", "))));
  }

  /** On, or off. */
  public static ValueForm<Boolean> onOff() {
    return new ValueForm<>(
        Boolean.class, ValueForm::isOn, value -> Boolean.TRUE.equals(value) ? "on" : "off");
  }

  private static boolean isOn(String text) {
    return switch (text) {
      case "on" -> true;
      case "off" -> false;
      default -> throw new UnknownWordException("on, off");
    };
  }
}
