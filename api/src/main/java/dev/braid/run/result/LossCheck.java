package dev.braid.run.result;

import java.util.Locale;
import java.util.Optional;

/**
 * Checks whether a model is worse than one that knows nothing, which gives all classes the same
 * probability or predicts the mean of each value.
 */
public final class LossCheck {

  /** Multiple of the loss of guessing above which a slow beginning is no explanation. */
  private static final double FAR_ABOVE = 2;

  private LossCheck() {}

  /**
   * Returns a warning if the loss is far above that of guessing. The training loss of an epoch
   * includes its first steps, so it says little about the model at the end.
   *
   * @param guessingLoss mean loss of a model that knows nothing; NaN if there is none
   * @param evaluated samples that the line's score is of
   */
  public static Optional<String> warning(
      Evaluation line, double guessingLoss, EvaluatedSet evaluated) {
    return warning(line, guessingLoss, evaluated, " or, for a table, standardized features");
  }

  /**
   * Returns a warning for a run whose scaling of values is known.
   *
   * @param mayStandardize whether its values are used as they are, and could be standardized
   */
  public static Optional<String> warning(
      Evaluation line, double guessingLoss, EvaluatedSet evaluated, boolean mayStandardize) {
    return warning(
        line, guessingLoss, evaluated, mayStandardize ? " or standardized features" : "");
  }

  private static Optional<String> warning(
      Evaluation line, double guessingLoss, EvaluatedSet evaluated, String orStandardize) {
    String when = (evaluated.isOfStream() ? "in window " : "after epoch ") + line.epoch();
    if (line.testR2() < 1 - FAR_ABOVE) {
      String remedies =
          evaluated.isOfStream()
              ? "another learning rate, standardized features or more rounds"
              : "another learning rate, more rounds (more epochs, or a smaller batch)"
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
