package dev.braid.learner.layer;

import dev.braid.learner.Batch;
import dev.braid.learner.Features;
import dev.braid.learner.structure.ImageShape;

/**
 * Dropout (Srivastava et al., 2014): in training, sets some values to 0 and scales the others up;
 * otherwise leaves all values unchanged. A {@link DropoutMask} decides which values are kept.
 */
public final class Dropout implements ImageLayer {

  private final ImageShape shape;
  private final DropoutMask mask;

  /** The factors by which the values were multiplied. */
  private float[] factors = {};

  Dropout(ImageShape shape, DropoutMask mask) {
    this.shape = shape;
    this.mask = mask;
  }

  @Override
  public ImageShape output() {
    return shape;
  }

  @Override
  public void forward(Pass pass, float[] input, float[] output) {
    int length = pass.samples() * shape.size();
    if (!pass.training()) {
      System.arraycopy(input, 0, output, 0, length);
      return;
    }
    if (factors.length < length) {
      factors = new float[length];
    }
    for (int sample = 0; sample < pass.samples(); sample++) {
      mask.of(pass.batch().epoch(), pass.batch().ids()[pass.first() + sample]);
      mask.write(shape, factors, sample * shape.size());
    }
    multiply(input, factors, output, length);
  }

  @Override
  public void backward(
      Pass pass,
      float[] input,
      float[] output,
      float[] delta,
      float[] gradient,
      float[] inputDelta) {
    if (inputDelta.length > 0) {
      multiply(delta, factors, inputDelta, pass.samples() * shape.size());
    }
  }

  /**
   * Returns the batch with dropout applied to its features. Features that are 0 remain 0, at no
   * cost.
   */
  public Batch ofFeatures(Batch batch) {
    Features all = batch.features();
    float[] values = new float[all.count()];
    for (int row = 0; row < all.rows(); row++) {
      mask.of(batch.epoch(), batch.ids()[row]);
      int start = all.isSparse() ? all.rowStarts()[row] : row * all.width();
      int end = all.isSparse() ? all.rowStarts()[row + 1] : start + all.width();
      for (int i = start; i < end; i++) {
        values[i] = all.values()[i] * mask.at(all.isSparse() ? all.columns()[i] : i - start);
      }
    }
    Features kept =
        all.isSparse()
            ? Features.sparse(all.width(), all.rowStarts(), all.columns(), values)
            : Features.dense(all.width(), values);
    return new Batch(
        batch.epoch(),
        batch.ids(),
        kept,
        batch.targets(),
        batch.lastOfEpoch(),
        batch.combination(),
        batch.origin());
  }

  private static void multiply(float[] a, float[] b, float[] product, int length) {
    for (int i = 0; i < length; i++) {
      product[i] = a[i] * b[i];
    }
  }
}
