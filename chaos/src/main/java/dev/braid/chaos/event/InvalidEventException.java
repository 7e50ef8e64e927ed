package dev.braid.chaos.event;

import dev.braid.files.Printable;

/**
 * An event that cannot be carried out; the message is one line that says why. Invisible characters
 * of the event are escaped in it.
 */
public final class InvalidEventException extends Exception {

  private static final long serialVersionUID = 1L;

  public InvalidEventException(String message) {
    super(Printable.of(message));
  }

  public InvalidEventException(String message, Throwable cause) {
    super(Printable.of(message), cause);
  }
}
