package dev.braid.worker.state;

import java.io.IOException;
import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/**
 * Signals a state in a format, older or newer, that this version of Braid does not read. Flink ends
 * the job at once, because a restart would not help.
 */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public final class StateVersionException extends IOException {

  private static final long serialVersionUID = 1L;

  /**
   * @param what name of the state
   * @param version version of its format
   * @param known version that can be read
   */
  public StateVersionException(String what, int version, int known) {
    super(
        what
            + " is in version "
            + version
            + " of its format: this Braid reads version "
            + known
            + "; restore it with the Braid that made it");
  }
}
