package dev.braid.run.result;

import dev.braid.learner.Learner;
import java.util.Locale;

/** How good a model is on the test set, in the figure by which people know it. */
public sealed interface TestScore {

  /** What the figure is called. */
  String title();

  /** The figure. */
  double figure();

  /** What models are compared by: the more the better. */
  double quality();

  /** The figure as people write it. */
  String inWords();

  /** What models are compared by, as people write it. */
  String qualityInWords();

  /**
   * The share of samples that are classified correctly.
   *
   * @param figure from 0 to 1
   */
  record Accuracy(double figure) implements TestScore {

    @Override
    public String title() {
      return "accuracy";
    }

    @Override
    public double quality() {
      return figure;
    }

    @Override
    public String inWords() {
      return String.format(Locale.ROOT, "%.2f %%", 100 * figure);
    }

    @Override
    public String qualityInWords() {
      return inWords();
    }
  }

  /**
   * How close values are to their targets: R², the share of the targets' variance that the model
   * explains.
   *
   * @param figure R², as the mean over outputs; NaN where all targets are the same
   * @param loss by which models are compared
   */
  record Fit(double figure, double loss) implements TestScore {

    @Override
    public String title() {
      return "R²";
    }

    @Override
    public double quality() {
      return Double.isNaN(loss) ? Double.NEGATIVE_INFINITY : -loss;
    }

    @Override
    public String inWords() {
      return Double.isNaN(figure) ? "undefined" : String.format(Locale.ROOT, "%.4f", figure);
    }

    @Override
    public String qualityInWords() {
      return String.format(Locale.ROOT, "loss %.4f", loss);
    }
  }

  /** That of an evaluation. */
  static TestScore of(Learner.Score score) {
    return score.hasValues()
        ? new Fit(score.errors().r2(), score.loss())
        : new Accuracy(score.accuracy());
  }

  /**
   * That of a line of the history.
   *
   * @param accuracy NaN where samples have values
   */
  static TestScore of(double accuracy, double r2, double loss) {
    return Double.isNaN(accuracy) ? new Fit(r2, loss) : new Accuracy(accuracy);
  }

  /** Where samples have classes; else NaN. */
  default double accuracy() {
    return this instanceof Accuracy accuracy ? accuracy.figure : Double.NaN;
  }

  /** Where samples have values; else NaN. */
  default double r2() {
    return this instanceof Fit fit ? fit.figure : Double.NaN;
  }

  /** Where samples have values; else NaN. */
  default double lossOfValues() {
    return this instanceof Fit fit ? fit.loss : Double.NaN;
  }
}
