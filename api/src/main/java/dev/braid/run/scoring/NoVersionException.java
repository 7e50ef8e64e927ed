package dev.braid.run.scoring;

import dev.braid.text.Printable;

/**
 * Thrown if the model has no version that can score records. The job may be restarted, since a
 * version may be published later.
 */
public final class NoVersionException extends Exception {

  private static final long serialVersionUID = 1L;

  NoVersionException(String message) {
    super(Printable.of(message));
  }
}
