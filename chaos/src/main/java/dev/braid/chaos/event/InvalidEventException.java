package dev.braid.chaos.event;

/** An event that cannot be carried out; the message is one line that says why. */
public final class InvalidEventException extends Exception {

  private static final long serialVersionUID = 1L;

  public InvalidEventException(String message) {
    super(message);
  }

  public InvalidEventException(String message, Throwable cause) {
    super(message, cause);
  }
}
