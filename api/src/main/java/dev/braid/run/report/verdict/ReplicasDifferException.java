package dev.braid.run.report.verdict;

import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/** Thrown if replicas that should be the same are not. Repeating the run would not help. */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public final class ReplicasDifferException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  ReplicasDifferException(String message) {
    super(message);
  }
}
