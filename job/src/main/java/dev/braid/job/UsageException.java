package dev.braid.job;

/** A mistake in what the user asked for; the message is one line that says what would be right. */
public final class UsageException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public UsageException(String message) {
    super(message);
  }

  public UsageException(String message, Throwable cause) {
    super(message, cause);
  }

  static UsageException unknownName(String option, String name, String known) {
    return new UsageException(
        option + " " + name + ": there is no such name; one of " + known + " is needed");
  }
}
