package dev.braid.connectors.file;

import java.io.IOException;
import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/**
 * Thrown if data could not be read this time, for example because a network disk did not answer. It
 * may be readable next time, so Flink restarts a job that fails with this exception.
 */
@ThrowableAnnotation(ThrowableType.RecoverableError)
final class UnreadableDataException extends InvalidDataException {

  private static final long serialVersionUID = 1L;

  UnreadableDataException(String message, IOException cause) {
    super(message, cause);
  }
}
