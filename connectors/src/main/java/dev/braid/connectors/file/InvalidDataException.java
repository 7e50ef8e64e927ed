package dev.braid.connectors.file;

import dev.braid.text.Printable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/**
 * Thrown if data is missing, malformed or does not fit the rest. The message is one line. It names
 * the file, the line if the file has lines, what is wrong, and what would be right.
 *
 * <p>Flink does not restart a job after this exception, because it would occur again. An exception
 * to this rule is data that could not be read but may be readable later ({@link #unreadable}).
 */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public sealed class InvalidDataException extends RuntimeException
    permits InvalidSampleException, UnreadableDataException {

  private static final long serialVersionUID = 1L;

  public InvalidDataException(String message) {
    super(Printable.of(message));
  }

  public InvalidDataException(String message, Throwable cause) {
    super(Printable.of(message), cause);
  }

  /**
   * Returns an exception for data that could not be read.
   *
   * @param name name of the file or folder
   */
  public static InvalidDataException unreadable(String name, IOException e) {
    if (e instanceof AccessDeniedException) {
      return new InvalidDataException(name + ": cannot be read: permission denied", e);
    }
    String message = name + ": cannot be read: " + e.getMessage();
    return e instanceof NoSuchFileException || e instanceof FileNotFoundException
        ? new InvalidDataException(message, e)
        : new UnreadableDataException(message, e);
  }
}
