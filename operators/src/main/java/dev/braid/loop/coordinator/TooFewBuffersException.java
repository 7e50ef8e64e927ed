package dev.braid.loop.coordinator;

import java.util.Optional;
import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;
import org.apache.flink.util.ExceptionUtils;

/**
 * A TaskManager has too little network memory for its part of a job that has never run: restarts
 * would not help, so Flink does not restart the job. One that did run may be crowded for a while,
 * as when another TaskManager is lost, and is restarted until there is room.
 */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public final class TooFewBuffersException extends Exception {

  private static final long serialVersionUID = 1L;

  /** What the message of Flink's exception begins with, which has no class of its own. */
  public static final String WORDS = "Insufficient number of network buffers";

  private TooFewBuffersException(Throwable cause) {
    super(cause.getMessage(), cause);
  }

  /** What to fail the job with, if a task has failed for this. */
  static Optional<TooFewBuffersException> in(Throwable reason) {
    return ExceptionUtils.findThrowable(
            reason, cause -> cause.getMessage() != null && cause.getMessage().contains(WORDS))
        .map(TooFewBuffersException::new);
  }
}
