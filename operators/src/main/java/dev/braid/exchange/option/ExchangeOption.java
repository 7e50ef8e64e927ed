package dev.braid.exchange.option;

import java.util.Objects;
import java.util.function.IntFunction;

/**
 * Something that users may choose of an exchange.
 *
 * @param name on the command line, behind {@code --}; the key in a run's JSON as well
 * @param valueName what help calls the value
 * @param help what it decides, in sentences
 * @param form how values are typed
 * @param argument its name in {@code compare}'s short form, as in {@code ako:p=4}
 * @param isPositional whether the short form may leave that name out, as in {@code averaging:5}
 * @param defaultText what is taken where it is not chosen, for help
 * @param defaultFor that, by how many workers there are
 * @param isShownByDefault whether a run's JSON has the default: not where it stands for something
 *     that the exchange finds out
 */
public record ExchangeOption<T>(
    String name,
    String valueName,
    String help,
    ValueForm<T> form,
    String argument,
    boolean isPositional,
    String defaultText,
    IntFunction<T> defaultFor,
    boolean isShownByDefault) {

  /** An option without a default yet; its name in the short form is the option's. */
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
          option.name,
          option.valueName,
          help,
          option.form,
          option.name,
          false,
          text,
          value,
          isShown);
    }
  }

  /** The same, called so in the short form. */
  public ExchangeOption<T> shortly(String other) {
    return called(other, false);
  }

  /** The same, called so in the short form, where the name may be left out. */
  public ExchangeOption<T> shortlyInPlace(String other) {
    return called(other, true);
  }

  /** The same, of an exchange that takes another value where it is not chosen. */
  public ExchangeOption<T> withDefault(T value) {
    return new ExchangeOption<>(
        name,
        valueName,
        help,
        form,
        argument,
        isPositional,
        defaultText,
        workers -> value,
        isShownByDefault);
  }

  private ExchangeOption<T> called(String other, boolean inPlace) {
    return new ExchangeOption<>(
        name, valueName, help, form, other, inPlace, defaultText, defaultFor, isShownByDefault);
  }

  /** As it is typed: {@code --name}. */
  public String typed() {
    return "--" + name;
  }

  /**
   * Options are told apart by their names: those of one name differ in nothing but what an exchange
   * takes by default.
   */
  @Override
  public boolean equals(Object other) {
    return other instanceof ExchangeOption<?> option && option.name.equals(name);
  }

  @Override
  public int hashCode() {
    return Objects.hash(name);
  }

  @Override
  public String toString() {
    return typed();
  }
}
