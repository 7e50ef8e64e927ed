package dev.braid.bench.products;

import dev.braid.learner.sparse.DenseRows;
import dev.braid.learner.sparse.SparseMatrix;
import dev.braid.learner.sparse.SparseProduct;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the first layer's two products with 100 samples of MNIST's size, a fifth of whose
 * features are not 0.
 *
 * <pre>
 *   bench/run org.openjdk.jmh.Main SparseProductBenchmark
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(3)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 3, time = 1)
public class SparseProductBenchmark {

  private static final int SAMPLES = 100;
  private static final int FEATURES = 784;
  private static final double DENSITY = 0.19;

  @Param({"500", "512", "1000"})
  int outputs;

  private SparseProduct product;
  private SparseMatrix bySample;
  private SparseMatrix byFeature;
  private DenseRows weights;
  private DenseRows delta;
  private float[] activations;
  private float[] gradient;

  @Setup
  public void fill() {
    SplittableRandom random = new SplittableRandom(1);
    boolean[][] isThere = new boolean[SAMPLES][FEATURES];
    for (boolean[] sample : isThere) {
      for (int i = 0; i < FEATURES; i++) {
        sample[i] = random.nextDouble() < DENSITY;
      }
    }
    bySample = sparse(isThere, random);
    byFeature = sparse(transposed(isThere), random);
    weights = new DenseRows(reals(FEATURES * outputs, random), 0, outputs);
    delta = new DenseRows(reals(SAMPLES * outputs, random), 0, outputs);
    activations = new float[SAMPLES * outputs];
    gradient = new float[FEATURES * outputs];
    product = new SparseProduct(outputs);
  }

  private static boolean[][] transposed(boolean[][] matrix) {
    boolean[][] transposed = new boolean[matrix[0].length][matrix.length];
    for (int i = 0; i < matrix.length; i++) {
      for (int k = 0; k < matrix[i].length; k++) {
        transposed[k][i] = matrix[i][k];
      }
    }
    return transposed;
  }

  private static SparseMatrix sparse(boolean[][] isThere, SplittableRandom random) {
    int columns = isThere[0].length;
    int[] columnOf = new int[isThere.length * columns];
    int[] rowStarts = new int[isThere.length + 1];
    int[] columnStarts = new int[columns + 1];
    int count = 0;
    for (int row = 0; row < isThere.length; row++) {
      for (int column = 0; column < columns; column++) {
        if (isThere[row][column]) {
          columnOf[count++] = column;
          columnStarts[column + 1]++;
        }
      }
      rowStarts[row + 1] = count;
    }
    Arrays.parallelPrefix(columnStarts, Integer::sum);
    return new SparseMatrix(
        isThere.length,
        columns,
        rowStarts,
        0,
        columnStarts,
        0,
        columnOf,
        reals(columnOf.length, random));
  }

  private static float[] reals(int length, SplittableRandom random) {
    float[] values = new float[length];
    for (int i = 0; i < length; i++) {
      values[i] = (float) random.nextDouble(-1, 1);
    }
    return values;
  }

  /** Computes {@code features W}. */
  @Benchmark
  public float[] forward() {
    product.compute(bySample, weights, activations, 0);
    return activations;
  }

  /** Computes {@code features^T delta}. */
  @Benchmark
  public float[] weightGradient() {
    product.compute(byFeature, delta, gradient, 0);
    return gradient;
  }
}
