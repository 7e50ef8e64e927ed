package dev.braid.exchange.option;

import java.util.Objects;
import java.util.function.IntFunction;

/**
 * An option of an exchange, such as {@code partitions} in {@code ako:partitions=4}.
 *
 * @param name text before the equals sign: lower-case letters, digits and dashes
 * @param valueName name of the value in help
 * @param help description in sentences
 * @param form the syntax of values
 * @param defaultText description of the default, for help
 * @param defaultFor default by number of workers
 * @param isShownByDefault whether a run's record contains the default; false if the default stands
 *     for something that the exchange finds out
 */
public record ExchangeOption<T>(
    String name,
    String valueName,
    String help,
    ValueForm<T> form,
    String defaultText,
    IntFunction<T> defaultFor,
    boolean isShownByDefault) {

  /** Begins the definition of an option. */
  public static <T> Undecided<T> named(String name, String valueName, ValueForm<T> form) {
    return new Undecided<>(name, valueName, form);
  }

  /** An option that still lacks its help and its default. */
  public record Undecided<T>(String name, String valueName, ValueForm<T> form) {

    /** Adds the description, in sentences. */
    public Described<T> help(String help) {
      return new Described<>(this, help);
    }
  }

  /** An option that still lacks its default. */
  public record Described<T>(Undecided<T> option, String help) {

    /** Completes the option with a constant default. */
    public ExchangeOption<T> byDefault(T value) {
      return with(String.valueOf(option.form.shown().apply(value)), workers -> value, true);
    }

    /** Completes the option with a default that depends on the number of workers. */
    public ExchangeOption<T> byDefault(String text, IntFunction<T> value) {
      return with(text, value, true);
    }

    /**
     * Completes an option whose value the exchange finds out if it is not chosen.
     *
     * @param value value that asks the exchange to find it out
     */
    public ExchangeOption<T> foundOutByDefault(String text, T value) {
      return with(text, workers -> value, false);
    }

    private ExchangeOption<T> with(String text, IntFunction<T> value, boolean isShown) {
      return new ExchangeOption<>(
          option.name, option.valueName, help, option.form, text, value, isShown);
    }
  }

  /** Returns this option for an exchange with another default, which must still be set. */
  public Described<T> otherwise() {
    return new Undecided<>(name, valueName, form).help(help);
  }

  /** Returns the option with a value, as users type them. */
  public String with(T value) {
    return name + "=" + form.shown().apply(value);
  }

  /**
   * Compares names and forms. Options with the same name and form may have different defaults in
   * different exchanges.
   */
  @Override
  public boolean equals(Object other) {
    return other instanceof ExchangeOption<?> option
        && option.name.equals(name)
        && option.form.equals(form);
  }

  @Override
  public int hashCode() {
    return Objects.hash(name);
  }

  @Override
  public String toString() {
    return name;
  }
}
