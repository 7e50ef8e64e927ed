package dev.braid.exchange.registry;

import dev.braid.exchange.ExchangeDescriptor;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.option.ExchangeOption;
import dev.braid.exchange.option.UnknownWordException;
import java.io.Serializable;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An exchange with its chosen options. The text form is the same where users type it and where runs
 * record it: {@code ring}, {@code ako:partitions=4,staleness=2}.
 *
 * @param chosen values by the names of the exchange's options
 */
public record ChosenExchange(ExchangeType type, SortedMap<String, Serializable> chosen) {

  /**
   * Parses an exchange with its options.
   *
   * @throws UnknownWordException if an exchange, an option or a word in a value does not exist
   * @throws IllegalArgumentException if an option has no value, an invalid value or two values, or
   *     has no effect together with the other options; the message names the option and what would
   *     be valid
   */
  public static ChosenExchange of(String text) {
    String[] parts = text.split(":", 2);
    ExchangeType type =
        ExchangeType.named(parts[0])
            .orElseThrow(() -> new UnknownWordException(parts[0], ExchangeType.titles()));
    ExchangeOptions options = ExchangeOptions.defaults(1);
    List<String> typed = parts.length == 1 ? List.of() : List.of(parts[1].split(",", -1));
    for (String option : typed) {
      options = with(option, type, options);
    }
    ChosenExchange exchange = new ChosenExchange(type, options.chosen());
    exchange.checkUses(options);
    return exchange;
  }

  private static ExchangeOptions with(String typed, ExchangeType type, ExchangeOptions options) {
    String[] parts = typed.strip().split("=", 2);
    String name = parts[0];
    List<ExchangeOption<?>> known = type.descriptor().options();
    if (known.isEmpty()) {
      throw mistake(type, typed, "this exchange has no options");
    }
    ExchangeOption<?> option =
        known.stream()
            .filter(its -> its.name().equals(name))
            .findFirst()
            .orElseThrow(() -> new UnknownWordException(type + ": ", name, names(known)));
    if (parts.length == 1 || parts[1].isEmpty()) {
      throw mistake(type, name, "needs a value: " + name + "=" + option.valueName());
    }
    if (options.isChosen(option)) {
      throw mistake(type, name, "is given twice");
    }
    return with(parts[1], option, type, options);
  }

  private static <T> ExchangeOptions with(
      String value, ExchangeOption<T> option, ExchangeType type, ExchangeOptions options) {
    try {
      return options.with(option, option.form().reader().apply(value));
    } catch (UnknownWordException e) {
      throw e.behind(type + ": " + option + "=");
    } catch (IllegalArgumentException e) {
      throw mistake(type, option + "=" + value, e.getMessage());
    }
  }

  private static String names(List<ExchangeOption<?>> options) {
    return options.stream().map(ExchangeOption::name).collect(Collectors.joining(", "));
  }

  private static IllegalArgumentException mistake(ExchangeType type, String option, String what) {
    return new IllegalArgumentException("%s: %s: %s".formatted(type, option, what));
  }

  /** Rejects options without effect, because users would believe that they change something. */
  private void checkUses(ExchangeOptions options) {
    ExchangeDescriptor descriptor = type.descriptor();
    for (ExchangeOption<?> option : descriptor.options()) {
      if (options.isChosen(option) && !descriptor.uses(option, options)) {
        throw mistake(
            type,
            typed(option, options),
            "only " + descriptor.condition(option).orElse("in another run"));
      }
    }
  }

  /** Returns a run's exchange with all options that the run uses, including defaults. */
  public static ChosenExchange of(ExchangeType type, ExchangeOptions options) {
    SortedMap<String, Serializable> all = new TreeMap<>();
    type.descriptor().options().stream()
        .filter(option -> type.descriptor().uses(option, options))
        .filter(option -> option.isShownByDefault() || options.isChosen(option))
        .forEach(option -> all.put(option.name(), (Serializable) options.get(option)));
    return new ChosenExchange(type, all);
  }

  /** Returns this exchange without the values that are defaults with this many workers. */
  public ChosenExchange withoutDefaults(int workers) {
    SortedMap<String, Serializable> others = new TreeMap<>(chosen);
    for (ExchangeOption<?> option : type.descriptor().options()) {
      if (option.isShownByDefault()) {
        others.remove(option.name(), option.defaultFor().apply(workers));
      }
    }
    return new ChosenExchange(type, others);
  }

  /** Returns the options for a run with this many workers and samples per gradient. */
  public ExchangeOptions options(int workers, int batch) {
    return new ExchangeOptions(workers, batch, chosen);
  }

  private static <T> String typed(ExchangeOption<T> option, ExchangeOptions options) {
    return option.with(options.get(option));
  }

  /** Returns the text form, which {@link #of(String)} can parse. */
  @Override
  public String toString() {
    ExchangeOptions options = options(1, 1);
    Stream<String> typed =
        type.descriptor().options().stream()
            .filter(options::isChosen)
            .map(option -> typed(option, options));
    return chosen.isEmpty()
        ? type.title()
        : typed.collect(Collectors.joining(",", type.title() + ":", ""));
  }
}
