package dev.braid.learner.network;

import dev.braid.learner.Batch;
import dev.braid.learner.Learner;
import dev.braid.learner.math.MathKernels;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import dev.braid.vector.Vectors;
import java.util.function.BooleanSupplier;

/**
 * Computes gradients of very many samples part by part, to limit memory: intermediate results, and
 * the values of deferred features, are those of one part only. All parts are computed from the same
 * weights, and their gradients are added in order, so that the same batch gives the same bits. The
 * computation stops between two parts if the gradient is no longer needed, for example because a
 * straggler's round is over: a whole share of the data may take minutes.
 *
 * <p>Batch normalisation computes mean and variance of each part, as for a batch of that size.
 */
public final class PartwiseLearner implements Learner {

  /** Number of samples in a part. Matrix products are hardly faster for more samples. */
  public static final int PART = 1000;

  private final Learner learner;
  private final int most;

  /** The gradient of a part other than the first. */
  private final float[] ofPart;

  private final float[] snapshot;

  /** Creates a learner around another one, which belongs to the same thread. */
  public PartwiseLearner(Learner learner) {
    this(learner, PART);
  }

  PartwiseLearner(Learner learner, int most) {
    this.learner = learner;
    this.most = most;
    this.ofPart = new float[learner.length()];
    this.snapshot = new float[learner.length()];
  }

  @Override
  public int length() {
    return learner.length();
  }

  @Override
  public void initialWeights(float[] weights) {
    learner.initialWeights(weights);
  }

  @Override
  public double gradient(float[] weights, Batch batch, float[] gradient) {
    return gradientWhile(() -> true, weights, batch, gradient).lossSum();
  }

  @Override
  public Computed gradientWhile(
      BooleanSupplier isWanted, float[] weights, Batch batch, float[] gradient) {
    Range all = Range.ofLength(batch.size());
    int parts = all.chunks(most);
    float[] from = weights;
    if (parts > 1) {
      // Other threads may change the weights before the last part.
      System.arraycopy(weights, 0, snapshot, 0, snapshot.length);
      from = snapshot;
    }
    double lossSum = 0;
    for (int i = 0; i < parts; i++) {
      Range part = all.chunk(i, most);
      if (!isWanted.getAsBoolean()) {
        return new Computed(part.start(), lossSum);
      }
      float[] into = i == 0 ? gradient : ofPart;
      lossSum += learner.gradient(from, batch.part(part.start(), part.length()), into);
      if (i > 0) {
        Vectors.add(gradient, 0, Slice.view(ofPart, Range.ofLength(ofPart.length)));
      }
    }
    return new Computed(batch.size(), lossSum);
  }

  @Override
  public MathKernels kernels() {
    return learner.kernels();
  }

  @Override
  public Score evaluate(float[] weights, Batch batch) {
    return learner.evaluate(weights, batch);
  }

  @Override
  public void close() {
    learner.close();
  }
}
