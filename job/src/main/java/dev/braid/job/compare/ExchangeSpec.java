package dev.braid.job.compare;

import dev.braid.exchange.registry.ChosenExchange;
import dev.braid.job.console.UsageException;
import dev.braid.job.options.SharingFlags;
import dev.braid.run.result.RunHistory;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * One of the exchanges to compare.
 *
 * @param text as typed
 */
record ExchangeSpec(String text, ChosenExchange exchange) {

  static final String OPTION = "--exchanges";

  private static final String OF_ONE = "--exchange ";

  /** Part of a list that belongs to the exchange before it: an option instead of a name. */
  private static final Pattern MORE = Pattern.compile("[^:=]*=.*");

  /**
   * Parses a list with commas, such as {@code ring,ako:partitions=4,staleness=2,tree}.
   *
   * @throws UsageException if an exchange is invalid or given twice
   */
  static List<ExchangeSpec> list(String text) {
    List<String> typed = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      if (part.isBlank()) {
        throw mistake(text, "a name is missing before or after a comma");
      }
      int last = typed.size() - 1;
      if (last >= 0 && MORE.matcher(part).matches()) {
        typed.set(last, more(typed.get(last), part.strip()));
      } else {
        typed.add(part.strip());
      }
    }
    List<ExchangeSpec> specs = new ArrayList<>();
    for (String one : typed) {
      ChosenExchange exchange = SharingFlags.exchange(OPTION, one);
      if (specs.stream().anyMatch(other -> other.exchange.equals(exchange))) {
        throw mistake(one, "is given twice; an exchange can be compared only with others");
      }
      specs.add(new ExchangeSpec(one, exchange));
    }
    return specs;
  }

  private static String more(String exchange, String option) {
    if (!exchange.contains(":")) {
      throw mistake(
          exchange + "," + option,
          "options of an exchange follow a colon: " + exchange + ":" + option);
    }
    return exchange + "," + option;
  }

  /** Returns a run's exchange as it would be typed, without options at their defaults. */
  static String textOf(RunHistory.Head head) {
    String typed = head.option("exchange").orElse("unknown");
    try {
      return ChosenExchange.of(typed).withoutDefaults(head.workers()).toString();
    } catch (IllegalArgumentException e) {
      // The history is of another version of Braid, or of one with other exchanges on its class
      // path.
      return typed;
    }
  }

  /** Returns an error of this exchange that was found while planning a run. */
  UsageException mistake(String what) {
    return what.startsWith(OF_ONE)
        ? new UsageException(OPTION + " " + what.substring(OF_ONE.length()))
        : mistake(text, what);
  }

  private static UsageException mistake(String text, String what) {
    return new UsageException(OPTION + " " + text + ": " + what);
  }

  /** Returns the name of the folder for the results. */
  String folder() {
    return text.replaceAll("[^A-Za-z0-9.]+", "-");
  }
}
