package dev.braid.worker;

import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/**
 * Training has diverged: the loss is no number any more. It would diverge again from every
 * checkpoint, so Flink does not restart the job.
 */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public final class DivergedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** By a loss. */
  public DivergedException(int rank, int epoch, long round, double loss) {
    super(
        String.format(
            "training diverged: the loss of worker %d is %s in round %d of epoch %d; a lower"
                + " --learning-rate may help",
            rank, loss, round, epoch + 1));
  }

  /** By weights. */
  public DivergedException(int rank, long rounds) {
    super(
        String.format(
            "training diverged: worker %d has NaN or infinite weights after %d rounds; a "
                + "lower --learning-rate may help",
            rank, rounds));
  }
}
