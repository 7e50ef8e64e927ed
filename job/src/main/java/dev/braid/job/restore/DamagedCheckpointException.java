package dev.braid.job.restore;

import dev.braid.job.console.UsageException;

/** Failure of a checkpoint that cannot be restored with any options. */
public final class DamagedCheckpointException extends UsageException {

  private static final long serialVersionUID = 1L;

  DamagedCheckpointException(String message, Throwable cause) {
    super(message, cause);
  }
}
