package dev.braid.loop;

import java.util.List;
import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/**
 * Signals that a process of the cluster lacks a library that a job needs on its class path. A
 * restart would fail in the same way, so Flink does not restart the job.
 */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public final class MissingLibraryException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private MissingLibraryException(Throwable cause) {
    super("a library is missing: " + cause.getMessage(), cause);
  }

  /**
   * Checks that all libraries are there. Must be called before anything is read that contains
   * classes that need them: those classes fail to load without a recognisable reason.
   *
   * @param classes names of classes, one of each library
   */
  public static void check(List<String> classes) {
    try {
      for (String name : classes) {
        Class.forName(name, false, MissingLibraryException.class.getClassLoader());
      }
    } catch (ClassNotFoundException e) {
      throw new MissingLibraryException(e);
    }
  }
}
