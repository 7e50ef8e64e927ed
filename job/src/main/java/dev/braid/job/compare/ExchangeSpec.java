package dev.braid.job.compare;

import dev.braid.exchange.registry.ExchangeType;
import dev.braid.job.console.UsageException;
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

  /**
   * What an exchange can be told.
   *
   * @param option the option of {@code braid train} that it stands for
   * @param positional whether the name may be left out
   */
  private record Argument(String name, String option, boolean positional) {}

  private static final Argument STALENESS = new Argument("staleness", "--staleness", false);

  /** By the exchange's name. */
  private static final Map<String, List<Argument>> ARGUMENTS =
      Map.of(
          "ft-tree",
          List.of(new Argument("timeout", "--link-timeout", true)),
          "averaging",
          List.of(new Argument("interval", "--averaging-interval", true)),
          "ako",
          List.of(
              new Argument("p", "--ako-partitions", false),
              new Argument("accumulation", "--ako-accumulation", false),
              new Argument("bandwidth", "--bandwidth", false),
              STALENESS),
          "all-to-all",
          List.of(STALENESS),
          "gossip",
          List.of(STALENESS),
          "ps",
          List.of(
              new Argument("consistency", "--consistency", true),
              new Argument("servers", "--servers", true),
              STALENESS));

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
    if (ExchangeType.named(name).isEmpty()) {
      throw UsageException.unknownName(OPTION, text, ExchangeType.titles());
    }
    Map<String, String> options = new LinkedHashMap<>();
    options.put("--exchange", name);
    List<Argument> known = ARGUMENTS.getOrDefault(name, List.of());
    Deque<Argument> places =
        known.stream()
            .filter(Argument::positional)
            .collect(Collectors.toCollection(ArrayDeque::new));
    for (String part : parts) {
      int equals = part.indexOf('=');
      String value = part.substring(equals + 1);
      Argument argument =
          (equals < 0 ? Optional.ofNullable(places.poll()) : find(known, part.substring(0, equals)))
              .filter(found -> !value.isEmpty())
              .orElseThrow(
                  () ->
                      mistake(
                          text,
                          "'%s' says nothing to %s; %s"
                              .formatted(part, name, possible(name, known))));
      places.remove(argument);
      if (options.put(argument.option(), value) != null) {
        throw mistake(text, argument.name() + " is given twice");
      }
    }
    return new ExchangeSpec(text, options);
  }

  private static Optional<Argument> find(List<Argument> known, String name) {
    return known.stream().filter(argument -> argument.name().equals(name)).findFirst();
  }

  private static String possible(String exchange, List<Argument> known) {
    if (known.isEmpty()) {
      return "only " + exchange + " by itself is possible";
    }
    return known.stream()
        .map(
            argument ->
                exchange
                    + ":"
                    + (argument.positional() ? "" : argument.name() + "=")
                    + argument.name().toUpperCase(Locale.ROOT))
        .collect(Collectors.joining(", ", "possible are ", ""));
  }

  /** Its options as they are typed behind {@code braid train}. */
  List<String> words() {
    return options.entrySet().stream()
        .map(option -> option.getKey() + "=" + option.getValue())
        .toList();
  }

  /** A mistake in this one, found where its options are read. */
  UsageException mistake(String what) {
    return new UsageException(OPTION + " " + text + ": " + what);
  }

  private static UsageException mistake(String text, String what) {
    return new UsageException(OPTION + " " + text + ": " + what);
  }

  /** The name of a folder for its results. */
  String folder() {
    return text.replaceAll("[^A-Za-z0-9.]+", "-");
  }
}
