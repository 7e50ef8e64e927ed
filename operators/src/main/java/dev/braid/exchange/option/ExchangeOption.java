package dev.braid.exchange.option;

import java.util.Objects;
import java.util.function.IntFunction;

/**
 * Something that users may choose of an exchange, as {@code partitions} in {@code
 * ako:partitions=4}.
 *
 * @param name before the equals sign: lower-case letters, digits and dashes
 * @param valueName what help calls the value
 * @param help what it decides, in sentences
 * @param form how values are typed
 * @param defaultText what is taken where it is not chosen, for help
 * @param defaultFor that, by how many workers there are
 * @param isShownByDefault whether a run's record has the default: not where it stands for something
 *     that the exchange finds out
 */
public record ExchangeOption<T>(
    String name,
    String valueName,
    String help,
    ValueForm<T> form,
    String defaultText,
    IntFunction<T> defaultFor,
    boolean isShownByDefault) {

  /** An option without a default yet. */
  public static <T> Undecided<T> named(String name, String valueName, ValueForm<T> form) {
    return new Undecided<>(name, valueName, form);
  }

  /** An option that still lacks its help and what is taken where it is not chosen. */
  public record Undecided<T>(String name, String valueName, ValueForm<T> form) {

    /** With what it decides, in sentences. */
    public Described<T> help(String help) {
      return new Described<>(this, help);
    }
  }

  /** An option that still lacks its default. */
  public record Described<T>(Undecided<T> option, String help) {

    /** Always the same default. */
    public ExchangeOption<T> byDefault(T value) {
      return with(String.valueOf(option.form.shown().apply(value)), workers -> value, true);
    }

    /** A default that depends on how many workers there are. */
    public ExchangeOption<T> byDefault(String text, IntFunction<T> value) {
      return with(text, value, true);
    }

    /**
     * Where it is not chosen, the exchange finds something out.
     *
     * @param value what tells the exchange to
     */
    public ExchangeOption<T> foundOutByDefault(String text, T value) {
      return with(text, workers -> value, false);
    }

    private ExchangeOption<T> with(String text, IntFunction<T> value, boolean isShown) {
      return new ExchangeOption<>(
          option.name, option.valueName, help, option.form, text, value, isShown);
    }
  }

  /** Returns this option for an exchange with another default, which is still to be named. */
  public Described<T> otherwise() {
    return new Undecided<>(name, valueName, form).help(help);
  }

  /** With a value, as both are typed. */
  public String with(T value) {
    return name + "=" + form.shown().apply(value);
  }

  /**
   * Compares names and forms. Two options of the same name and form may have different defaults, as
   * exchanges have.
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
