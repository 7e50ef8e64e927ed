package dev.braid.learner.network;

import dev.braid.learner.Features;
import dev.braid.learner.sparse.DenseRows;
import dev.braid.learner.sparse.SparseMatrix;
import dev.braid.learner.sparse.SparseProduct;
import java.util.Arrays;

/**
 * The first layer's two matrix products with {@linkplain Features#isSparse sparse} samples, which
 * use only the values that are not 0.
 *
 * <p>For MNIST, where 19 % of the features are not 0, these products take less than half of the
 * time of OpenBLAS's dense products. Sums are in the order of features and of samples, independent
 * of the batch.
 */
final class SparseRows {

  private final int features;
  private final int outputs;

  private final SparseProduct product;

  /** The samples taken, with one row per sample; and their transpose, with one row per feature. */
  private SparseMatrix taken;

  private SparseMatrix byFeature;

  /** The transpose's arrays, feature after feature: each value's sample, and the value. */
  private final int[] starts;

  private int[] samples = {};
  private float[] values = {};

  /** Creates products for a matrix of weights with one row per feature. */
  SparseRows(int features, int outputs) {
    this.features = features;
    this.outputs = outputs;
    this.product = new SparseProduct(outputs);
    this.starts = new int[features + 1];
    this.taken = new SparseMatrix(0, features, new int[1], 0, starts, 0, samples, values);
    this.byFeature = taken;
  }

  /**
   * Takes samples, and sorts their values by feature.
   *
   * @param all sparse samples; not copied, so they must not change until the gradient has been
   *     computed
   * @param from index of the first sample to take
   * @param rows number of samples to take
   */
  void take(Features all, int from, int rows) {
    int begin = all.rowStarts()[from];
    int end = all.rowStarts()[from + rows];
    if (samples.length < end - begin) {
      // A quarter more than needed, since batches differ.
      int length = (end - begin) + (end - begin) / 4;
      samples = new int[length];
      values = new float[length];
    }
    count(all.columns(), begin, end);
    for (int r = rows - 1; r >= 0; r--) {
      for (int i = all.rowStarts()[from + r + 1] - 1; i >= all.rowStarts()[from + r]; i--) {
        int place = --starts[all.columns()[i]];
        samples[place] = r;
        values[place] = all.values()[i];
      }
    }
    taken =
        new SparseMatrix(
            rows, features, all.rowStarts(), from, starts, 0, all.columns(), all.values());
    byFeature = new SparseMatrix(features, rows, starts, 0, all.rowStarts(), from, samples, values);
  }

  /**
   * Sets {@code starts} to the end of each feature's values. Storing the values decrements it to
   * their start.
   */
  private void count(int[] columns, int begin, int end) {
    Arrays.fill(starts, 0);
    for (int i = begin; i < end; i++) {
      starts[columns[i]]++;
    }
    for (int i = 1; i <= features; i++) {
      starts[i] += starts[i - 1];
    }
  }

  /** Computes {@code products = features W}: a row of outputs for each sample that was taken. */
  void product(float[] weights, int weightStart, float[] products) {
    product.compute(taken, new DenseRows(weights, weightStart, outputs), products, 0);
  }

  /**
   * Computes {@code gradient = features^T delta}: a row of outputs for each feature, all 0 if no
   * sample has it.
   */
  void weightGradient(float[] delta, float[] gradient, int weightStart) {
    product.compute(byFeature, new DenseRows(delta, 0, outputs), gradient, weightStart);
  }
}
