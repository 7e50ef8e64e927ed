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
 * <p>Every call takes the weights. They may therefore change while a gradient is being computed: an
 * asynchronous exchange applies the ranges of other ranks as they arrive. An instance belongs to
 * one thread. The same weights and the same batch give the same bits, in every call, instance and
 * JVM with the same {@link #kernels}.
 */
public interface Learner extends AutoCloseable {

  /** Returns the length of the weights and of a gradient, in elements. */
  int length();

  /**
   * Writes the initial weights: those of the model file, or random weights from the model's seed.
   */
  void initialWeights(float[] weights);

  /**
   * Computes the gradient of the batch's loss.
   *
   * @param weights the weights; not changed. If another thread changes them during the call, some
   *     of the values that are read are old and others are new
   * @param batch at least one sample
   * @param gradient overwritten with the <em>sum</em> of the samples' gradients, plus the gradient
   *     of the model's regularisation times the number of samples. If the batch has {@linkplain
   *     Combination coefficients}, each sample's gradient is multiplied by its coefficient.
   *     {@linkplain Targets#weights Weights} of samples multiply their gradients, but not the
   *     regularisation
   * @return the sum of the samples' losses times their weights, without coefficients and
   *     regularisation
   */
  double gradient(float[] weights, Batch batch, float[] gradient);

  /**
   * Computes the gradient of the batch's loss, as {@link #gradient} does, unless it is cancelled. A
   * learner that computes in parts checks {@code isWanted} before each part, and stops when it
   * returns false.
   *
   * @param isWanted returns whether the gradient is still needed; called in the calling thread
   * @param gradient undefined if fewer samples than the batch's are computed
   */
  default Computed gradientWhile(
      BooleanSupplier isWanted, float[] weights, Batch batch, float[] gradient) {
    return new Computed(batch.size(), gradient(weights, batch, gradient));
  }

  /**
   * The extent of a gradient computation.
   *
   * @param samples number of samples computed, counted from the batch's first
   * @param lossSum the sum of their losses times their weights, without coefficients and
   *     regularisation
   */
  record Computed(int samples, double lossSum) {}

  /**
   * Returns the score of the batch of the last gradient, with the weights from which that gradient
   * was computed, that is, before any step. Dropout applies, as in the gradient.
   *
   * @return {@link Score#NONE} if the learner does not know it
   */
  default Score scoreOfGradient() {
    return Score.NONE;
  }

  /**
   * Does the part of this batch's gradient computation that needs no weights. A worker calls this
   * while gradients are exchanged. The gradient may or may not be requested next.
   */
  default void prepare(Batch batch) {}

  /**
   * Returns the native kernels that decide the bits of all results. The caller is the thread that
   * owns the learner. Plain Java computes the same bits everywhere.
   */
  default MathKernels kernels() {
    return MathKernels.NONE;
  }

  /** Evaluates the model's outputs for the batch against its targets. */
  Score evaluate(float[] weights, Batch batch);

  @Override
  void close();

  /**
   * The outcome of an evaluation.
   *
   * @param samples number of samples evaluated
   * @param correct number of samples classified correctly; 0 if the samples have values
   * @param lossSum the sum of their losses, times the samples' weights
   * @param errors the distance of outputs from values; {@link ValueErrors#NONE} if the samples have
   *     classes
   */
  record Score(long samples, long correct, double lossSum, ValueErrors errors) {

    public static final Score NONE = new Score(0, 0, 0);

    /** Creates a score of samples that have classes. */
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

    /** Reads a score that {@link #write} has written. */
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

    /** Returns whether the score is of samples that have values. */
    public boolean hasValues() {
      return errors.samples() > 0;
    }

    /**
     * Returns the share of samples classified correctly, from 0 to 1; 0 if there are no samples,
     * and NaN if they have values.
     */
    public double accuracy() {
      if (hasValues()) {
        return Double.NaN;
      }
      return samples == 0 ? 0 : (double) correct / samples;
    }

    /**
     * Returns the quality by which epochs are compared, as a sum over samples; higher is better. It
     * is the number of samples classified correctly, or the negated loss if the samples have
     * values.
     */
    public double qualitySum() {
      return hasValues() ? -lossSum : correct;
    }

    /** Returns the mean loss; 0 if there are no samples. */
    public double loss() {
      return samples == 0 ? 0 : lossSum / samples;
    }
  }
}
