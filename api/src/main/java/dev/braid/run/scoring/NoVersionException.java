package dev.braid.run.scoring;

import dev.braid.files.Printable;

/**
 * No version of the model is there to score records with. The job may be restarted, as a version
 * may be published later.
 */
public final class NoVersionException extends Exception {

  private static final long serialVersionUID = 1L;

  NoVersionException(String message) {
    super(Printable.of(message));
  }
}
