package dev.braid.run.report;

import dev.braid.run.result.Status;
import java.util.Optional;
import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;
import org.apache.flink.util.ExceptionUtils;
import org.apache.flink.util.SerializedThrowable;

/**
 * Thrown if results cannot be written to their place; the message says which, why, and where they
 * are instead. Repeating the training would not help, so the job fails without a restart, and Flink
 * keeps its last checkpoint.
 */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public final class ResultsNotWrittenException extends Exception {

  private static final long serialVersionUID = 1L;

  /** Last status of the run, as JSON; empty if nothing has been trained. */
  private final String status;

  ResultsNotWrittenException(String message, String status) {
    super(message);
    this.status = status;
  }

  /** Returns the exception of this type that has failed a job, if there is one. */
  public static Optional<ResultsNotWrittenException> in(Throwable failure) {
    ClassLoader loader = ResultsNotWrittenException.class.getClassLoader();
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      Throwable known =
          cause instanceof SerializedThrowable serialized
              ? serialized.deserializeError(loader)
              : cause;
      Optional<ResultsNotWrittenException> found =
          ExceptionUtils.findThrowable(known, ResultsNotWrittenException.class);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  /** Returns how the run ended, if it did and its results are kept somewhere. */
  public Optional<Status> status() {
    return status.isEmpty() ? Optional.empty() : Optional.of(Status.parse(status));
  }
}
