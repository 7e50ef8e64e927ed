package dev.braid.run.result;

import dev.braid.learner.Learner;
import java.util.Locale;

/** Score of a model on the test set, with the figure that is usual for its kind of samples. */
public sealed interface TestScore {

  /** Returns the name of the figure. */
  String title();

  /** Returns the figure. */
  double figure();

  /** Returns the number by which models are compared: higher is better. */
  double quality();

  /** Returns the figure as text for people. */
  String inWords();

  /** Returns the number by which models are compared, as text for people. */
  String qualityInWords();

  /**
   * Share of samples that are classified correctly.
   *
   * @param figure accuracy, from 0 to 1
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
   * @param figure R², mean over outputs; NaN if all targets are the same
   * @param loss loss by which models are compared
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

  /** Returns the score of an evaluation. */
  static TestScore of(Learner.Score score) {
    return score.hasValues()
        ? new Fit(score.errors().r2(), score.loss())
        : new Accuracy(score.accuracy());
  }

  /**
   * Returns the score of a line of the history.
   *
   * @param accuracy accuracy, from 0 to 1; NaN where samples have values
   */
  static TestScore of(double accuracy, double r2, double loss) {
    return Double.isNaN(accuracy) ? new Fit(r2, loss) : new Accuracy(accuracy);
  }

  /** Returns the accuracy where samples have classes; else NaN. */
  default double accuracy() {
    return this instanceof Accuracy accuracy ? accuracy.figure : Double.NaN;
  }

  /** Returns R² where samples have values; else NaN. */
  default double r2() {
    return this instanceof Fit fit ? fit.figure : Double.NaN;
  }

  /** Returns the loss where samples have values; else NaN. */
  default double lossOfValues() {
    return this instanceof Fit fit ? fit.loss : Double.NaN;
  }
}
