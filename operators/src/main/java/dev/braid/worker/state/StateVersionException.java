package dev.braid.worker.state;

import java.io.IOException;
import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/**
 * A state in a form that this version of Braid does not read: an older one, or a newer one. Flink
 * ends the job at once, as a restart would not help.
 */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public final class StateVersionException extends IOException {

  private static final long serialVersionUID = 1L;

  /**
   * @param what whose state it is
   * @param version that it is in
   * @param known the one that can be read
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
