package dev.braid.worker;

import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/**
 * A process of the cluster has no ND4J on its class path. It would be the same again after a
 * restart, so Flink does not restart the job.
 */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public final class MissingLibraryException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private static final String ND4J = "org.nd4j.linalg.factory.Nd4j";

  private static final String DEEPLEARNING4J = "org.deeplearning4j.nn.conf.MultiLayerConfiguration";

  private MissingLibraryException(Throwable cause) {
    super("ND4J is missing", cause);
  }

  /**
   * Checks that all is there. To be called before anything is read that has classes in it which
   * need it: those fail to load with nothing that Flink, or a user, could know it by.
   */
  public static void check() {
    try {
      ClassLoader loader = MissingLibraryException.class.getClassLoader();
      Class.forName(ND4J, false, loader);
      Class.forName(DEEPLEARNING4J, false, loader);
    } catch (ClassNotFoundException e) {
      throw new MissingLibraryException(e);
    }
  }
}
