package dev.braid.learner.structure;

import java.util.List;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;

/**
 * The order of a model's parameters in the flat vectors that learners take and workers exchange.
 *
 * <p>It is Deeplearning4j's, layer after layer and weights before biases, with one difference: in a
 * {@link ModelStack}, a fully connected layer's weights lie input by input, where Deeplearning4j
 * has them output by output. So an input that is 0 is a run of weights that nothing needs to read.
 */
public final class ParameterOrder {

  private static final int TILE = 32;

  /** Weight matrices that lie in another order than Deeplearning4j's. */
  private final List<DenseShape> matrices;

  private ParameterOrder(List<DenseShape> matrices) {
    this.matrices = matrices;
  }

  /** The order of a model's parameters. */
  public static ParameterOrder of(MultiLayerConfiguration model) {
    return new ParameterOrder(ModelStack.isStack(model) ? ModelStack.dense(model) : List.of());
  }

  /** A copy of a vector of parameters, or of the optimiser's state, in Deeplearning4j's order. */
  public float[] toDeeplearning4j(float[] vector) {
    float[] theirs = vector.clone();
    for (DenseShape matrix : matrices) {
      transpose(vector, theirs, matrix.start(), matrix.inputs(), matrix.outputs());
    }
    return theirs;
  }

  /** The inverse of {@link #toDeeplearning4j}. */
  public float[] fromDeeplearning4j(float[] theirs) {
    float[] vector = theirs.clone();
    for (DenseShape matrix : matrices) {
      transpose(theirs, vector, matrix.start(), matrix.outputs(), matrix.inputs());
    }
    return vector;
  }

  /** Tile by tile, each of which stays in the cache: a large matrix takes a third of the time. */
  private static void transpose(float[] from, float[] to, int start, int rows, int columns) {
    for (int top = 0; top < rows; top += TILE) {
      for (int left = 0; left < columns; left += TILE) {
        int bottom = Math.min(top + TILE, rows);
        int right = Math.min(left + TILE, columns);
        for (int r = top; r < bottom; r++) {
          for (int c = left; c < right; c++) {
            to[start + c * rows + r] = from[start + r * columns + c];
          }
        }
      }
    }
  }
}
