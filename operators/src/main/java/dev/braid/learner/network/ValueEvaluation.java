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
 * How far a model's outputs are from the values of samples.
 *
 * @param samples how many there are
 * @param loss the mean of the model's own loss, without regularisation, of values as it gives them
 * @param outputs of each output, in the units of the data
 */
public record ValueEvaluation(int samples, double loss, List<OfOutput> outputs) {

  /** Bounds memory: features are copied. */
  private static final int ROWS = 256;

  /**
   * One output.
   *
   * @param mse the mean squared error
   * @param rmse its root
   * @param mae the mean absolute error
   * @param r2 what share of the values' variance it explains; none where all values are the same
   */
  public record OfOutput(double mse, double rmse, double mae, OptionalDouble r2) {}

  /**
   * Evaluates a model.
   *
   * @param samples at least one, with values
   * @param units how much one unit of each output is in those of the data
   * @throws InvalidModelException if the model does not take them
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
