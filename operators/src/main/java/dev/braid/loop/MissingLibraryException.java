package dev.braid.loop;

import java.util.List;
import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/**
 * A process of the cluster has not got a library that a job needs on its class path. It would be
 * the same again after a restart, so Flink does not restart the job.
 */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public final class MissingLibraryException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private MissingLibraryException(Throwable cause) {
    super("a library is missing: " + cause.getMessage(), cause);
  }

  /**
   * Checks that all is there. To be called before anything is read that has classes in it which
   * need it: those fail to load with nothing that Flink, or a user, could know it by.
   *
   * @param classes by their names, one of each library
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
