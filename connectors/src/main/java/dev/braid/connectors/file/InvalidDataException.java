package dev.braid.connectors.file;

/**
 * A mistake in the user's data: a file that is missing, malformed or does not fit the rest. The
 * message is one line that names the file (and line, where it has lines), what is there, and what
 * would be right.
 */
public final class InvalidDataException extends RuntimeException {

  public InvalidDataException(String message) {
    super(message);
  }

  public InvalidDataException(String message, Throwable cause) {
    super(message, cause);
  }
}
