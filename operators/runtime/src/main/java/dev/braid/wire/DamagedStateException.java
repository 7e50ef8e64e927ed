package dev.braid.wire;

import java.io.IOException;
import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/**
 * Thrown if a state in a checkpoint is not what was saved. Reading it again after a restart would
 * yield the same, so Flink ends the job at once.
 */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public final class DamagedStateException extends IOException {

  private static final long serialVersionUID = 1L;

  /** Prefix of every message, by which the exception is recognised in a stack trace. */
  public static final String WORDS = "state is damaged: ";

  /**
   * Creates an exception for a difference from the saved state.
   *
   * @param name name of the state, such as "the ledger's page"
   * @param what the difference
   */
  public DamagedStateException(String name, String what) {
    super(WORDS + name + ": " + what);
  }

  /**
   * Creates an exception for a failure to read the state.
   *
   * @param name name of the state
   * @param cause failure of the reader
   */
  public DamagedStateException(String name, Throwable cause) {
    super(WORDS + name + ": " + reason(cause), cause);
  }

  private static String reason(Throwable cause) {
    String message = cause.getMessage();
    String name = cause.getClass().getSimpleName();
    return message == null ? name : name + ": " + message.lines().findFirst().orElse("");
  }
}
