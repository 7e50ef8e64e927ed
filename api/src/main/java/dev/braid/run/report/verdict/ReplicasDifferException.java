package dev.braid.run.report.verdict;

import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/** Replicas that should be the same are not. Nothing that could be tried again would help. */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public final class ReplicasDifferException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  ReplicasDifferException(String message) {
    super(message);
  }
}
