package dev.braid.chaos.event;

import dev.braid.text.Printable;

/**
 * Thrown if an event cannot be carried out; the message is one line with the reason, in which
 * invisible characters of the event are escaped.
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
