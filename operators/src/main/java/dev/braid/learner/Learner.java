package dev.braid.learner;

import dev.braid.learner.math.MathKernels;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/**
 * A model's arithmetic: gradients and evaluation, on weights that its caller keeps as one flat
 * vector, in {@code ParameterOrder}.
 *
 * <p>The weights come in with every call, so that they may change (an asynchronous exchange applies
 * other ranks' ranges as they come) while a gradient is being computed from those that were there
 * when it began. An instance belongs to one thread. The same weights and the same batch give the
 * same bits, in every call, instance and JVM with the same {@link #kernels}.
 */
public interface Learner extends AutoCloseable {

  /** Length of the weights and of a gradient, in elements. */
  int length();

  /** Writes the weights that training begins with: from the model file, or drawn by its seed. */
  void initialWeights(float[] weights);

  /**
   * Computes the gradient of the batch's loss.
   *
   * @param weights the weights; not changed. Where others change them meanwhile, some of those that
   *     are read are from before and others from after
   * @param batch at least one sample
   * @param gradient overwritten with the <em>sum</em> of the samples' gradients, plus that of the
   *     model's regularisation times the number of samples; where the batch has {@linkplain
   *     Combination coefficients}, each sample counts so many times; {@linkplain Targets#weights
   *     weights} of samples multiply their gradients, and not the regularisation
   * @return the sum of the samples' losses times their weights, without coefficients and
   *     regularisation
   */
  double gradient(float[] weights, Batch batch, float[] gradient);

  /**
   * The same of a gradient that may come to be worth nothing while it is computed. A learner that
   * computes in parts asks before each of them, and leaves off when nobody wants the rest.
   *
   * @param isWanted asked in the calling thread
   * @param gradient undefined where fewer samples than the batch's are computed
   */
  default Computed gradientWhile(
      BooleanSupplier isWanted, float[] weights, Batch batch, float[] gradient) {
    return new Computed(batch.size(), gradient(weights, batch, gradient));
  }

  /**
   * What has been computed of a gradient.
   *
   * @param samples how many of the batch's, from its first
   * @param lossSum the sum of their losses times their weights, without coefficients and
   *     regularisation
   */
  record Computed(int samples, double lossSum) {}

  /**
   * Returns the score of the batch that the last gradient was computed of, with the weights that it
   * was computed with: before any step. Dropout is in it, as in the gradient.
   *
   * @return {@link Score#NONE} where the learner does not know it
   */
  default Score scoreOfGradient() {
    return Score.NONE;
  }

  /**
   * Does what of the gradient of this batch needs no weights, which may be asked for next, and may
   * not: a worker has time for it while gradients are exchanged.
   */
  default void prepare(Batch batch) {}

  /**
   * What decides the bits of all this. Asked for in the thread that the learner belongs to; plain
   * Java has the same bits everywhere.
   */
  default MathKernels kernels() {
    return MathKernels.NONE;
  }

  /** Holds what the model gives of the batch with these weights against its targets. */
  Score evaluate(float[] weights, Batch batch);

  @Override
  void close();

  /**
   * The outcome of an evaluation.
   *
   * @param samples how many samples were evaluated
   * @param correct how many of them were classified correctly; 0 where they have values
   * @param lossSum the sum of their losses, times the samples' weights
   * @param errors how far outputs are from values; none where samples have classes
   */
  record Score(long samples, long correct, double lossSum, ValueErrors errors) {

    public static final Score NONE = new Score(0, 0, 0);

    /** Of samples that have classes. */
    public Score(long samples, long correct, double lossSum) {
      this(samples, correct, lossSum, ValueErrors.NONE);
    }

    /** Writes this score: the first three numbers and the errors. */
    public void write(DataOutput out) throws IOException {
      out.writeLong(samples);
      out.writeLong(correct);
      out.writeDouble(lossSum);
      errors.write(out);
    }

    /** Reads what {@link #write} has written. */
    public static Score read(DataInput in) throws IOException {
      return new Score(in.readLong(), in.readLong(), in.readDouble(), ValueErrors.read(in));
    }

    public Score plus(Score other) {
      return new Score(
          samples + other.samples,
          correct + other.correct,
          lossSum + other.lossSum,
          errors.plus(other.errors));
    }

    /** Whether it is of samples that have values. */
    public boolean hasValues() {
      return errors.samples() > 0;
    }

    /**
     * The share of samples classified correctly, from 0 to 1; 0 where there are none, and NaN where
     * they have values.
     */
    public double accuracy() {
      if (hasValues()) {
        return Double.NaN;
      }
      return samples == 0 ? 0 : (double) correct / samples;
    }

    /**
     * What epochs are compared by, as a sum over samples: the more the better. How many are
     * classified correctly, or where they have values the loss, negated.
     */
    public double qualitySum() {
      return hasValues() ? -lossSum : correct;
    }

    /** The mean loss; 0 where there are no samples. */
    public double loss() {
      return samples == 0 ? 0 : lossSum / samples;
    }
  }
}
