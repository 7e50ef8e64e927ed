package dev.braid.run.result;

import java.util.Locale;
import java.util.Optional;

/**
 * Whether a model has become worse than one that knows nothing: that gives all classes the same
 * probability, or for each value the mean.
 */
public final class LossCheck {

  /** So many times the loss of guessing is no slow beginning any more. */
  private static final double FAR_ABOVE = 2;

  private LossCheck() {}

  /**
   * A warning where the test loss is far above that of guessing. The training loss of an epoch
   * counts from its first step on, which says little of where it has got.
   *
   * @param guessingLoss the mean loss of a model that knows nothing; NaN where there is none
   */
  public static Optional<String> warning(Evaluation line, double guessingLoss) {
    return warning(line, guessingLoss, " or, for a table without it, --standardize");
  }

  /**
   * The same of a run of which more is known.
   *
   * @param mayStandardize whether its values are taken as they are, and could be standardized
   */
  public static Optional<String> warning(
      Evaluation line, double guessingLoss, boolean mayStandardize) {
    return warning(line, guessingLoss, mayStandardize ? " or --standardize" : "");
  }

  private static Optional<String> warning(
      Evaluation line, double guessingLoss, String orStandardize) {
    if (line.testR2() < 1 - FAR_ABOVE) {
      return Optional.of(
          String.format(
              Locale.ROOT,
              "warning: the test R² after epoch %d is %,.4g, and that of the mean is 0: another"
                  + " --learning-rate, more rounds (more --epochs, or a smaller --batch)%s may help",
              line.epoch(),
              line.testR2(),
              orStandardize));
    }
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
