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
   * Returns a warning where the loss is far above that of guessing. The training loss of an epoch
   * counts from its first step on, which says little of where it has got.
   *
   * @param guessingLoss the mean loss of a model that knows nothing; NaN where there is none
   * @param evaluated samples that the line's score is of
   */
  public static Optional<String> warning(
      Evaluation line, double guessingLoss, EvaluatedSet evaluated) {
    return warning(line, guessingLoss, evaluated, " or, for a table without it, --standardize");
  }

  /**
   * Returns the same of a run of which more is known.
   *
   * @param mayStandardize whether its values are taken as they are, and could be standardized
   */
  public static Optional<String> warning(
      Evaluation line, double guessingLoss, EvaluatedSet evaluated, boolean mayStandardize) {
    return warning(line, guessingLoss, evaluated, mayStandardize ? " or --standardize" : "");
  }

  private static Optional<String> warning(
      Evaluation line, double guessingLoss, EvaluatedSet evaluated, String orStandardize) {
    String when = (evaluated.isOfStream() ? "in window " : "after epoch ") + line.epoch();
    if (line.testR2() < 1 - FAR_ABOVE) {
      String remedies =
          evaluated.isOfStream()
              ? "another learning rate, standardized features or more rounds"
              : "another --learning-rate, more rounds (more --epochs, or a smaller --batch)"
                  + orStandardize;
      return Optional.of(
          String.format(
              Locale.ROOT,
              "warning: the %s R² %s is %,.4g, no better than the mean with 0: %s may help",
              evaluated.word(),
              when,
              line.testR2(),
              remedies));
    }
    return line.testLoss() > FAR_ABOVE * guessingLoss
        ? Optional.of(
            String.format(
                Locale.ROOT,
                "warning: the %s loss %s is %,.4g, above the loss of guessing, %.2f: the "
                    + "learning rate may be too high",
                evaluated.word(),
                when,
                line.testLoss(),
                guessingLoss))
        : Optional.empty();
  }
}
