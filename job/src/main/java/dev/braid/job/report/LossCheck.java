package dev.braid.job.report;

import java.util.Locale;
import java.util.Optional;

/** Whether a model has become worse than one that knows nothing. */
public final class LossCheck {

  /** So many times the loss of guessing is no slow beginning any more. */
  private static final double FAR_ABOVE = 2;

  private LossCheck() {}

  /**
   * A warning where the test loss is far above that of guessing. The training loss of an epoch
   * counts from its first step on, which says little of where it has got.
   *
   * @param guessingLoss as in {@link ReportConfig}
   */
  public static Optional<String> warning(Evaluation line, double guessingLoss) {
    return line.testLoss() > FAR_ABOVE * guessingLoss
        ? Optional.of(
            String.format(
                Locale.ROOT,
                "warning: the test loss after epoch %d is %,.4g, and that of guessing is %.2f: the"
                    + " learning rate may be too high",
                line.epoch(),
                line.testLoss(),
                guessingLoss))
        : Optional.empty();
  }
}
