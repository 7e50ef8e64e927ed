package dev.braid.wire;

import java.io.IOException;
import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/**
 * A state in a checkpoint is not what was saved. Reading it again after a restart would find the
 * same, so Flink ends the job at once.
 */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public final class DamagedStateException extends IOException {

  private static final long serialVersionUID = 1L;

  /** Begins the message of each, by which it is recognised in a stack trace. */
  public static final String WORDS = "state is damaged: ";

  /**
   * @param name names the state, as "the ledger's page"
   * @param what says how it differs from what was saved
   */
  public DamagedStateException(String name, String what) {
    super(WORDS + name + ": " + what);
  }

  /**
   * @param name names the state
   * @param cause what reading it has come to
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
