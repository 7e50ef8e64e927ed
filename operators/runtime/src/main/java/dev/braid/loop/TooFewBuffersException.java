package dev.braid.loop;

import java.util.Optional;
import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;
import org.apache.flink.util.ExceptionUtils;

/**
 * Signals that a TaskManager has too little network memory for its part of a job that has never
 * run. Restarts would not help, so Flink does not restart the job. A job that has run may lack
 * memory temporarily, for example when another TaskManager is lost, and is restarted until there is
 * room.
 */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public final class TooFewBuffersException extends Exception {

  private static final long serialVersionUID = 1L;

  /** Beginning of the message of Flink's exception, which has no class of its own. */
  public static final String WORDS = "Insufficient number of network buffers";

  private TooFewBuffersException(Throwable cause) {
    super(cause.getMessage(), cause);
  }

  /** Returns the exception to fail the job with, if a task has failed for this reason. */
  static Optional<TooFewBuffersException> in(Throwable reason) {
    return ExceptionUtils.findThrowable(
            reason, cause -> cause.getMessage() != null && cause.getMessage().contains(WORDS))
        .map(TooFewBuffersException::new);
  }
}
