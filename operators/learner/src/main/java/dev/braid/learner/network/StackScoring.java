package dev.braid.learner.network;

import dev.braid.learner.layer.LayerSequence;
import dev.braid.learner.layer.Pass;
import dev.braid.learner.layer.StackBuilder;
import dev.braid.learner.matrix.MatrixMultipliers;
import dev.braid.learner.model.BatchLimit;
import dev.braid.learner.structure.ModelStack;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;

/**
 * The forward pass of a {@link ModelStack} with Braid's own layers, which also train it. The
 * weights are arranged for it once.
 */
final class StackScoring implements ScoringNetwork {

  /** Limits on the memory of a pass, because a convolution's activations may be large. */
  private static final int MOST_ROWS = 256;

  private static final int MOST_FLOATS = 1 << 22;

  private final float[] weights;
  private final LayerSequence front;
  private final DenseStack stack;
  private final int features;
  private final int mostRows;
  private Pass pass = Pass.scoring(0);

  /**
   * Arranges the weights.
   *
   * @param layers layers created with {@link MatrixMultipliers#forScoring}
   * @param features number of features per sample
   */
  StackScoring(
      float[] weights,
      BatchLimit limit,
      MultiLayerConfiguration model,
      StackBuilder.Layers layers,
      int features) {
    this.weights = weights;
    this.features = features;
    this.front = new LayerSequence(layers.front(), features, false);
    this.stack = new DenseStack(model, layers.between(), MatrixMultipliers::forScoring);
    this.mostRows = limit.atMost(Math.max(1, Math.min(MOST_ROWS, MOST_FLOATS / front.largest())));
    front.takeWeights(weights);
    stack.takeWeights(weights);
  }

  @Override
  public float[] scores(float[] samples, int rows) {
    DenseStage last = stack.last();
    float[] scores = new float[rows * last.outputs];
    for (int first = 0; first < rows; first += mostRows) {
      int some = Math.min(mostRows, rows - first);
      score(samples, first, some);
      System.arraycopy(last.outputRows, 0, scores, first * last.outputs, some * last.outputs);
    }
    return scores;
  }

  private void score(float[] samples, int first, int rows) {
    if (pass.samples() != rows) {
      pass = Pass.scoring(rows);
    }
    stack.reserve(rows);
    if (front.isEmpty()) {
      stack.first().product(samples, first * features, weights, rows);
    } else {
      front.reserve(rows);
      System.arraycopy(samples, first * features, front.input(), 0, rows * features);
      front.forward(pass);
      stack.first().product(front.output(), 0, weights, rows);
    }
    stack.score(weights, pass);
  }

  @Override
  public void close() {
    front.close();
    stack.close();
  }
}
