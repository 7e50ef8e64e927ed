package dev.braid.connectors.file;

import java.io.IOException;
import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/**
 * Data that could not be read this time, as on a disk of the network that did not answer: it may be
 * well the next time, so Flink restarts a job that fails for it.
 */
@ThrowableAnnotation(ThrowableType.RecoverableError)
final class UnreadableDataException extends InvalidDataException {

  private static final long serialVersionUID = 1L;

  UnreadableDataException(String message, IOException cause) {
    super(message, cause);
  }
}
