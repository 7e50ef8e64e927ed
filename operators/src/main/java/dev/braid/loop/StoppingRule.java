package dev.braid.loop;

import java.io.Serializable;

/**
 * When training may stop before its last epoch: decided at the end of each, by the accuracy on the
 * whole test set.
 *
 * @param targetAccuracy the share of the test set, from 0 to 1, that is enough; NaN where none is
 * @param patience after how many epochs without a better accuracy it is given up; 0 for never
 */
public record StoppingRule(double targetAccuracy, int patience) implements Serializable {

  /** All epochs. */
  public static final StoppingRule NONE = new StoppingRule(Double.NaN, 0);

  public StoppingRule {
    if (targetAccuracy <= 0 || targetAccuracy > 1 || patience < 0) {
      throw new IllegalArgumentException(
          "target accuracy %s, patience %d: more than 0 and at most 1, and 0 or more, are needed"
              .formatted(targetAccuracy, patience));
    }
  }

  /** Stops at this accuracy. */
  public static StoppingRule at(double targetAccuracy) {
    return new StoppingRule(targetAccuracy, 0);
  }

  /** Whether there may be a reason to stop, so that the ends of epochs are waited for. */
  public boolean mayStop() {
    return !Double.isNaN(targetAccuracy) || patience > 0;
  }

  boolean isReached(double accuracy) {
    return accuracy >= targetAccuracy;
  }

  boolean isOutOfPatience(int epochsWithoutBetter) {
    return patience > 0 && epochsWithoutBetter >= patience;
  }
}
