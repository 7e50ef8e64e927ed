package dev.braid.run.result;

/** A file that should be a history and is not; the message is one line that names it. */
public final class InvalidHistoryException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  InvalidHistoryException(String message) {
    super(message);
  }

  InvalidHistoryException(String message, Throwable cause) {
    super(message, cause);
  }
}
