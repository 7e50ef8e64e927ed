package dev.braid.learner;

import dev.braid.text.Printable;
import java.io.Serial;
import java.util.regex.Pattern;

/**
 * Thrown if a model cannot be read, does not fit the data, or cannot be trained faithfully by
 * parallel workers. The message is one line. It names the model, what is wrong, and what would be
 * right.
 */
public final class InvalidModelException extends IllegalArgumentException {

  @Serial private static final long serialVersionUID = 1L;

  private static final int SHOWN_LETTERS = 100;

  /** The class name at the start of a message that repeats the message of the cause. */
  private static final Pattern CLASS_NAME =
      Pattern.compile("^(?:[a-z][a-z0-9_]*\\.)+[A-Z][A-Za-z0-9_$]*: ");

  public InvalidModelException(String message) {
    super(oneLine(message));
  }

  public InvalidModelException(String message, Throwable cause) {
    super(oneLine(message), cause);
  }

  /** Returns the first line of the message of another library. */
  public static String reason(Throwable cause) {
    if (cause instanceof NullPointerException) {
      // The message of a NullPointerException is about code that the user does not know.
      return "a required part is null or missing";
    }
    String message = cause.getMessage();
    return message == null || message.isBlank()
        ? cause.getClass().getSimpleName()
        : CLASS_NAME.matcher(message.strip()).replaceFirst("").lines().findFirst().orElseThrow();
  }

  /** Returns the first 100 characters of a text for a message. */
  public static String shorten(String text) {
    return text.length() <= SHOWN_LETTERS ? text : text.substring(0, SHOWN_LETTERS) + "…";
  }

  private static String oneLine(String message) {
    return Printable.of(message.strip().replaceAll("\\s*[\\r\\n]+\\s*", " "));
  }
}
