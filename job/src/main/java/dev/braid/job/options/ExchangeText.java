package dev.braid.job.options;

import dev.braid.exchange.option.UnknownWordException;
import dev.braid.exchange.registry.ChosenExchange;
import dev.braid.job.console.Typo;
import dev.braid.job.console.UsageException;
import java.util.Arrays;

/** Exchanges as they are typed behind an option. */
public final class ExchangeText {

  private ExchangeText() {}

  /**
   * Reads one.
   *
   * @param option what it is typed behind
   * @throws UsageException if it is none
   */
  public static ChosenExchange read(String option, String text) {
    try {
      return ChosenExchange.of(text);
    } catch (UnknownWordException e) {
      String question =
          Typo.question(
              alone(e.word()),
              Arrays.stream(e.known().split(", ")).map(ExchangeText::alone).toList());
      throw new UsageException(option + " " + e.getMessage() + question, e);
    } catch (IllegalArgumentException e) {
      throw new UsageException(option + " " + e.getMessage(), e);
    }
  }

  /** A codec's name without what is chosen of it. */
  private static String alone(String name) {
    return name.split(":", 2)[0];
  }
}
