package dev.braid.learner.structure;

import java.util.List;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;

/**
 * The order of a model's parameters in the flat vectors that learners use and workers exchange.
 *
 * <p>It is Deeplearning4j's order, layer after layer and weights before biases, with one
 * difference: in a {@link ModelStack}, a fully connected layer's weights are stored input by input,
 * whereas Deeplearning4j stores them output by output. The weights of an input that is 0 are
 * therefore contiguous, and need not be read.
 */
public final class ParameterOrder {

  private static final int TILE = 32;

  /** Weight matrices whose order differs from Deeplearning4j's. */
  private final List<DenseShape> matrices;

  private ParameterOrder(List<DenseShape> matrices) {
    this.matrices = matrices;
  }

  /** Returns the order of a model's parameters. */
  public static ParameterOrder of(MultiLayerConfiguration model) {
    return new ParameterOrder(ModelStack.isStack(model) ? ModelStack.dense(model) : List.of());
  }

  /**
   * Returns a copy of a vector of parameters, or of the optimiser's state, in Deeplearning4j's
   * order.
   */
  public float[] toDeeplearning4j(float[] vector) {
    float[] theirs = vector.clone();
    for (DenseShape matrix : matrices) {
      transpose(vector, theirs, matrix.start(), matrix.inputs(), matrix.outputs());
    }
    return theirs;
  }

  /**
   * Returns a copy of a vector in Deeplearning4j's order, in Braid's; the inverse of {@link
   * #toDeeplearning4j}.
   */
  public float[] fromDeeplearning4j(float[] theirs) {
    float[] vector = theirs.clone();
    for (DenseShape matrix : matrices) {
      transpose(theirs, vector, matrix.start(), matrix.outputs(), matrix.inputs());
    }
    return vector;
  }

  /**
   * Transposes tile by tile, so that each tile stays in the cache: a large matrix takes a third of
   * the time.
   */
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
