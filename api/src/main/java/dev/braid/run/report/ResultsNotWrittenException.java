package dev.braid.run.report;

import dev.braid.run.result.Status;
import java.util.Optional;
import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;
import org.apache.flink.util.ExceptionUtils;
import org.apache.flink.util.SerializedThrowable;

/**
 * Results cannot be written to where they are wanted; the message says which, why, and where they
 * are instead. Training again would not help: the job fails for good, and so that Flink keeps its
 * last checkpoint.
 */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public final class ResultsNotWrittenException extends Exception {

  private static final long serialVersionUID = 1L;

  /** The run's last status, as JSON; empty where nothing has been trained. */
  private final String status;

  ResultsNotWrittenException(String message, String status) {
    super(message);
    this.status = status;
  }

  /** The one for which a job has failed. */
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

  /** How the run ended, if it did and its results are kept somewhere. */
  public Optional<Status> status() {
    return status.isEmpty() ? Optional.empty() : Optional.of(Status.parse(status));
  }
}
