package dev.braid.chaos.event;

/**
 * An event that cannot be carried out; the message is one line that says why. Invisible characters
 * of the event are escaped in it.
 */
public final class InvalidEventException extends Exception {

  private static final long serialVersionUID = 1L;

  public InvalidEventException(String message) {
    super(Fields.visible(message));
  }

  public InvalidEventException(String message, Throwable cause) {
    super(Fields.visible(message), cause);
  }
}
