package dev.braid.job.console;

import java.util.List;

/** A mistake in what the user asked for; the message is one line that says what would be right. */
public final class UsageException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public UsageException(String message) {
    super(message);
  }

  public UsageException(String message, Throwable cause) {
    super(message, cause);
  }

  /**
   * A name that there is not.
   *
   * @param known the names that there are, with commas between
   */
  public static UsageException unknownName(String option, String name, String known) {
    return new UsageException(
        option
            + " "
            + name
            + ": there is no such name; one of "
            + known
            + " is needed"
            + Typo.question(name, List.of(known.split(", ", -1))));
  }
}
