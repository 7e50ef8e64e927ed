package dev.braid.worker;

import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/**
 * Signals that training has diverged: the loss is not a number any more. Training would diverge
 * again from every checkpoint, so Flink does not restart the job.
 */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public final class DivergedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Creates the exception for a loss that is NaN or infinite. */
  public DivergedException(int rank, int epoch, long round, double loss) {
    super(
        String.format(
            "training diverged: the loss of worker %d is %s in round %d of epoch %d; a lower"
                + " `learning-rate` may help",
            rank, loss, round, epoch + 1));
  }

  /** Creates the exception for weights that are NaN or infinite. */
  public DivergedException(int rank, long rounds) {
    super(
        String.format(
            "training diverged: worker %d has NaN or infinite weights after %d rounds; a "
                + "lower `learning-rate` may help",
            rank, rounds));
  }
}
