package dev.braid.job.console;

import dev.braid.text.Printable;
import java.util.Arrays;

/**
 * Error in the user's request; its message is one line that says what would be right, with {@link
 * OptionNames}.
 */
public class UsageException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public UsageException(String message) {
    super(Printable.of(OptionNames.in(message)));
  }

  public UsageException(String message, Throwable cause) {
    super(Printable.of(OptionNames.in(message)), cause);
  }

  /**
   * Creates the error of an unknown name. The part after a colon holds options and does not belong
   * to the name.
   *
   * @param known valid names, separated by commas
   */
  public static UsageException unknownName(String option, String name, String known) {
    return new UsageException(
        option
            + " "
            + (name.isEmpty() ? "''" : name)
            + ": unknown name; must be one of "
            + known
            + question(name, known));
  }

  /**
   * Returns a question for the name that may have been meant; empty if none is near.
   *
   * @param known valid names, separated by commas
   */
  public static String question(String name, String known) {
    return Typo.question(
        alone(name), Arrays.stream(known.split(", ")).map(UsageException::alone).toList());
  }

  private static String alone(String name) {
    return name.split(":", 2)[0];
  }
}
