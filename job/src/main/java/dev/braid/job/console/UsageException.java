package dev.braid.job.console;

import dev.braid.files.Printable;
import java.util.Arrays;

/** A mistake in what the user asked for; the message is one line that says what would be right. */
public class UsageException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public UsageException(String message) {
    super(Printable.of(message));
  }

  public UsageException(String message, Throwable cause) {
    super(Printable.of(message), cause);
  }

  /**
   * A name that there is not. What is behind a colon says more of it, and is no part of the name.
   *
   * @param known the names that there are, with commas between
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
   * Asks which name may have been meant; empty if none is near.
   *
   * @param known the names that there are, with commas between
   */
  public static String question(String name, String known) {
    return Typo.question(
        alone(name), Arrays.stream(known.split(", ")).map(UsageException::alone).toList());
  }

  private static String alone(String name) {
    return name.split(":", 2)[0];
  }
}
