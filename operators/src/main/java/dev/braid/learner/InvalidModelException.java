package dev.braid.learner;

import dev.braid.files.Printable;
import java.io.Serial;
import java.util.regex.Pattern;

/**
 * A model that cannot be read, does not fit the data, or cannot be trained faithfully by parallel
 * workers. The message is one line that names the model, what is wrong with it, and what would be
 * right.
 */
public final class InvalidModelException extends IllegalArgumentException {

  @Serial private static final long serialVersionUID = 1L;

  private static final int SHOWN_LETTERS = 100;

  /** What an exception's text begins with that only repeats another. */
  private static final Pattern CLASS_NAME =
      Pattern.compile("^(?:[a-z][a-z0-9_]*\\.)+[A-Z][A-Za-z0-9_$]*: ");

  public InvalidModelException(String message) {
    super(oneLine(message));
  }

  public InvalidModelException(String message, Throwable cause) {
    super(oneLine(message), cause);
  }

  /** The first line of what another library says. */
  public static String reason(Throwable cause) {
    if (cause instanceof NullPointerException) {
      // Its text is about code that the user does not know.
      return "something that it needs is null or missing";
    }
    String message = cause.getMessage();
    return message == null || message.isBlank()
        ? cause.getClass().getSimpleName()
        : CLASS_NAME.matcher(message.strip()).replaceFirst("").lines().findFirst().orElseThrow();
  }

  /** A text of somebody else's, for a message: it may be long, or steer a terminal. */
  public static String shorten(String text) {
    return text.length() <= SHOWN_LETTERS ? text : text.substring(0, SHOWN_LETTERS) + "…";
  }

  private static String oneLine(String message) {
    return Printable.of(message.strip().replaceAll("\\s*[\\r\\n]+\\s*", " "));
  }
}
