package dev.braid.job.options;

import dev.braid.exchange.option.ValueForm;
import dev.braid.job.console.UsageException;
import java.util.OptionalInt;

/**
 * Number of workers of a run: the requested number if Flink has the slots, and the smallest number
 * with which the run continues after a cluster has lost some.
 *
 * @param fewest empty if no range is given: then one worker suffices if the cluster's scheduler
 *     continues with fewer at all
 * @param most number of model replicas, each in its own slot
 */
public record WorkerBounds(OptionalInt fewest, int most) {

  private static final String OPTION = "--workers";
  private static final String BETWEEN = "..";
  private static final ValueForm<Integer> NUMBER =
      ValueForm.wholeNumber(Integer.MIN_VALUE, Integer.MAX_VALUE);

  /** Returns bounds without a range. */
  public static WorkerBounds of(int workers) {
    return new WorkerBounds(OptionalInt.empty(), workers);
  }

  /**
   * Parses {@code 8} or {@code 2..8}.
   *
   * @throws UsageException if the text is neither
   */
  static WorkerBounds parse(String text) {
    int between = text.indexOf(BETWEEN);
    if (between < 0) {
      return of(number(text, text));
    }
    int fewest = number(text, text.substring(0, between));
    int most = number(text, text.substring(between + BETWEEN.length()));
    if (fewest < 1 || fewest > most) {
      throw mistake(text, "must be the least number, at least 1, and the greatest, such as 2..8");
    }
    return new WorkerBounds(OptionalInt.of(fewest), most);
  }

  private static int number(String text, String part) {
    try {
      return NUMBER.reader().apply(part);
    } catch (IllegalArgumentException e) {
      throw mistake(
          text,
          part.equals(text)
              ? e.getMessage()
              : "must be a whole number, or the least and the greatest number, such as 2..8");
    }
  }

  private static UsageException mistake(String text, String needed) {
    return new UsageException(OPTION + " " + text + ": " + needed);
  }

  /** Returns the smallest number of workers with which the run continues. */
  public int atLeast() {
    return fewest.orElse(1);
  }

  /** Returns the bounds as typed. */
  public String typed() {
    return fewest.isPresent() ? fewest.getAsInt() + BETWEEN + most : Integer.toString(most);
  }

  /** Returns the bounds in words. */
  public String inWords() {
    if (most == 1) {
      return "1 worker";
    }
    int least = fewest.orElse(most);
    return (least < most ? least + " to " + most : Integer.toString(most)) + " workers";
  }
}
