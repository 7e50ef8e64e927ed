package dev.braid.connectors.file;

import java.io.Serial;
import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/** Thrown if a single sample is invalid; the samples after it can be read. */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public final class InvalidSampleException extends InvalidDataException {

  @Serial private static final long serialVersionUID = 1L;

  public InvalidSampleException(String message) {
    super(message);
  }

  private InvalidSampleException(InvalidDataException cause) {
    super(cause.getMessage(), cause);
  }

  /**
   * Returns a sample's exception as an InvalidSampleException, unless the data could not be read.
   */
  public static InvalidDataException of(InvalidDataException mistake) {
    return mistake instanceof InvalidSampleException || mistake instanceof UnreadableDataException
        ? mistake
        : new InvalidSampleException(mistake);
  }
}
