package dev.braid.learner.network;

import dev.braid.learner.InvalidModelException;
import dev.braid.learner.Learner;
import dev.braid.learner.Samples;
import dev.braid.learner.ValueErrors;
import dev.braid.learner.model.ModelSpec;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * Errors of a model's outputs against the values of samples.
 *
 * @param samples number of samples
 * @param loss mean of the model's own loss, without regularisation, of values in the model's units
 * @param outputs the errors of each output, in the units of the data
 */
public record ValueEvaluation(int samples, double loss, List<OfOutput> outputs) {

  /** Limit on memory, because features are copied. */
  private static final int ROWS = 256;

  /**
   * The errors of one output.
   *
   * @param mse mean squared error
   * @param rmse root of the mean squared error
   * @param mae mean absolute error
   * @param r2 share of the values' variance that the output explains; empty if all values are the
   *     same
   */
  public record OfOutput(double mse, double rmse, double mae, OptionalDouble r2) {}

  /**
   * Evaluates a model.
   *
   * @param samples at least one, with values
   * @param units for each output, the size of the model's unit in units of the data
   * @throws InvalidModelException if the model does not accept the samples
   */
  public static ValueEvaluation of(ModelSpec model, Samples samples, double[] units) {
    Learner.Score score = Learner.Score.NONE;
    try (Learner learner = Learners.create(model, samples.shape())) {
      for (int first = 0; first < samples.size(); first += ROWS) {
        int[] ids = IntStream.range(first, Math.min(first + ROWS, samples.size())).toArray();
        score = score.plus(learner.evaluate(model.weights(), samples.batch(0, ids, false)));
      }
    }
    ValueErrors errors = score.errors();
    return new ValueEvaluation(
        samples.size(),
        score.loss(),
        IntStream.range(0, units.length).mapToObj(i -> output(errors, i, units[i])).toList());
  }

  private static OfOutput output(ValueErrors errors, int output, double unit) {
    double mse = errors.meanSquared(output) * unit * unit;
    double r2 = errors.r2(output);
    return new OfOutput(
        mse,
        Math.sqrt(mse),
        errors.meanAbsolute(output) * unit,
        Double.isNaN(r2) ? OptionalDouble.empty() : OptionalDouble.of(r2));
  }
}
