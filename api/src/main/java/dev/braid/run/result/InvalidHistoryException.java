package dev.braid.run.result;

/** Thrown if a file is not a valid history; the message is one line that names the file. */
public final class InvalidHistoryException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  InvalidHistoryException(String message) {
    super(message);
  }

  InvalidHistoryException(String message, Throwable cause) {
    super(message, cause);
  }
}
