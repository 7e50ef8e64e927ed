package dev.braid.job.compare;

import dev.braid.exchange.option.ExchangeOption;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.job.console.UsageException;
import dev.braid.job.result.RunHistory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * One of the exchanges that are to be compared, as it is typed: {@code ako}, {@code ako:p=4},
 * {@code averaging:5}. A name, then arguments behind colons; one that has a usual place may be
 * given without its name. It stands for options of {@code braid train}, which know what values are
 * right.
 *
 * @param text as typed
 * @param options of {@code braid train}, with their values
 */
record ExchangeSpec(String text, Map<String, String> options) {

  static final String OPTION = "--exchanges";

  ExchangeSpec {
    options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
  }

  /**
   * Reads a list with commas.
   *
   * @throws UsageException if a name or an argument is unknown, or given twice
   */
  static List<ExchangeSpec> list(String text) {
    List<ExchangeSpec> specs = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      if (part.isBlank()) {
        throw mistake(text, "a name is missing before or behind a comma");
      }
      ExchangeSpec spec = of(part.strip());
      if (specs.stream().anyMatch(other -> other.options.equals(spec.options))) {
        throw mistake(spec.text, "is there twice; each is to be compared with others");
      }
      specs.add(spec);
    }
    return specs;
  }

  private static ExchangeSpec of(String text) {
    Deque<String> parts = new ArrayDeque<>(List.of(text.split(":", -1)));
    String name = parts.remove();
    ExchangeType exchange =
        ExchangeType.named(name)
            .orElseThrow(() -> UsageException.unknownName(OPTION, name, ExchangeType.titles()));
    Map<String, String> options = new LinkedHashMap<>();
    options.put("--exchange", name);
    List<ExchangeOption<?>> known = exchange.descriptor().options();
    Deque<ExchangeOption<?>> places =
        known.stream()
            .filter(ExchangeOption::isPositional)
            .collect(Collectors.toCollection(ArrayDeque::new));
    for (String part : parts) {
      int equals = part.indexOf('=');
      String value = part.substring(equals + 1);
      ExchangeOption<?> argument =
          (equals < 0 ? nextPlace(places, value) : find(known, part.substring(0, equals)))
              .filter(found -> !value.isEmpty())
              .orElseThrow(
                  () ->
                      mistake(
                          text,
                          "'%s' says nothing to %s; %s".formatted(part, name, possible(exchange))));
      places.remove(argument);
      if (options.put(argument.typed(), value) != null) {
        throw mistake(text, argument.argument() + " is given twice");
      }
    }
    return new ExchangeSpec(text, options);
  }

  /** How the exchange of a run would be typed, with what differs from its defaults. */
  static String textOf(RunHistory.Head head) {
    String name = head.option("exchange").orElse("unknown");
    List<ExchangeOption<?>> known =
        ExchangeType.named(name).map(exchange -> exchange.descriptor().options()).orElse(List.of());
    return known.stream()
        .flatMap(option -> argument(option, head).stream())
        .collect(Collectors.joining("", name, ""));
  }

  private static <T> Optional<String> argument(ExchangeOption<T> option, RunHistory.Head head) {
    String byDefault =
        String.valueOf(option.form().shown().apply(option.defaultFor().apply(head.workers())));
    return head.option(option.name())
        .filter(value -> !value.equals(byDefault))
        .map(value -> value.replace(':', '='))
        .map(value -> ":" + (option.isPositional() ? value : option.argument() + "=" + value));
  }

  /** How one can be typed, with all that it takes. */
  static String form(ExchangeType exchange) {
    return exchange.descriptor().options().stream()
        .map(
            option ->
                option.isPositional()
                    ? "[:" + option.argument().toUpperCase(Locale.ROOT) + "]"
                    : "[:" + option.argument() + "=" + option.valueName() + "]")
        .collect(Collectors.joining("", exchange.title(), ""));
  }

  /** The next that takes this value; or, if none does, the next, whose form tells what is wrong. */
  private static Optional<ExchangeOption<?>> nextPlace(
      Deque<ExchangeOption<?>> places, String value) {
    Optional<ExchangeOption<?>> taking =
        places.stream().filter(option -> option.form().takes(value)).findFirst();
    Optional<ExchangeOption<?>> place = taking.or(() -> Optional.ofNullable(places.peek()));
    // Those before it keep their values of all runs.
    while (place.isPresent() && places.contains(place.get())) {
      places.remove();
    }
    return place;
  }

  private static Optional<ExchangeOption<?>> find(List<ExchangeOption<?>> known, String name) {
    return known.stream().filter(option -> option.argument().equals(name)).findFirst();
  }

  private static String possible(ExchangeType exchange) {
    return exchange.descriptor().options().isEmpty()
        ? "only " + exchange.title() + " by itself is possible"
        : "possible is " + form(exchange);
  }

  /** Its options as they are typed behind {@code braid train}. */
  List<String> words() {
    return options.entrySet().stream()
        .map(option -> option.getKey() + "=" + option.getValue())
        .toList();
  }

  /** A mistake in this one, found where its options are read. */
  UsageException mistake(String what) {
    boolean hasArguments = options.size() > 1;
    return mistake(
        text,
        what
            + (hasArguments
                ? (what.endsWith("?") ? " Possible is " : "; possible is ")
                    + form(ExchangeType.named(options.get("--exchange")).orElseThrow())
                : ""));
  }

  private static UsageException mistake(String text, String what) {
    return new UsageException(OPTION + " " + text + ": " + what);
  }

  /** The name of a folder for its results. */
  String folder() {
    return text.replaceAll("[^A-Za-z0-9.]+", "-");
  }
}
