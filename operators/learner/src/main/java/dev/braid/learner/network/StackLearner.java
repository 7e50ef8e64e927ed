package dev.braid.learner.network;

import dev.braid.learner.Batch;
import dev.braid.learner.Features;
import dev.braid.learner.Learner;
import dev.braid.learner.layer.Dropout;
import dev.braid.learner.layer.ImageLayer;
import dev.braid.learner.layer.LayerSequence;
import dev.braid.learner.layer.Pass;
import dev.braid.learner.layer.StackBuilder;
import dev.braid.learner.math.MathKernels;
import dev.braid.learner.math.NativeMath;
import dev.braid.learner.matrix.MatrixMultipliers;
import dev.braid.learner.model.BatchLimit;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.structure.ModelStack;
import dev.braid.learner.structure.Regularisation;
import java.util.List;
import java.util.Optional;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;

/**
 * Computes gradients of models that are a {@link ModelStack}: fully connected layers, with any
 * other layers before them that {@link StackBuilder} knows.
 *
 * <p>It computes the gradient of {@link DeepLearner}, up to rounding, in less than half of the time
 * for small networks, and in a tenth of the time with convolutions. Deeplearning4j also computes
 * the gradient by the samples, which is not needed, and takes a product as large as each of the
 * first layer's other two. It computes each layer's forward product again in the backward pass, and
 * allocates memory. It spends nearly all of the time of a convolution copying images into patches,
 * number by number. Here images are stored pixel by pixel, so that a window's row is contiguous.
 * Gradients that are 0, as most are before a max-pooling, cost nothing. If the features are the
 * input of a fully connected layer, and most of them are 0, these cost nothing ({@link
 * SparseRows}).
 */
final class StackLearner implements Learner {

  /**
   * Limit on the memory of an evaluation of fully connected layers. It costs no speed: products
   * reach their full speed at about a hundred rows.
   */
  private static final int EVALUATION_ROWS = 256;

  /** Limits if other layers come first, because a convolution's activations may be large. */
  private static final int EVALUATION_IMAGES = 100;

  private static final int EVALUATION_FLOATS = 1 << 22;

  /** The batch of the last gradient, whose outputs the stack still holds. */
  private Batch trained = new Batch(0, new int[0], Features.NONE, new int[0], false);

  private double trainedLossSum;

  private final ModelSpec spec;
  private final BatchLimit limit;
  private final Regularisation regularisation;

  /** Dropout of the features, if it is the only layer before the first fully connected layer. */
  private final Optional<Dropout> dropout;

  /** Other layers before the first fully connected layer; empty if its input is the features. */
  private final LayerSequence front;

  private final DenseStack stack;
  private final SparseRows sparseFeatures;

  /** The batch whose samples {@link #prepare} has put into {@link #sparseFeatures}. */
  private Optional<Batch> prepared = Optional.empty();

  /** The weights at the start of a call, kept if penalties need them at its end. */
  private final float[] snapshot;

  /**
   * Creates a learner for a model that is a {@link ModelStack}.
   *
   * @param features number of features per sample
   */
  StackLearner(
      ModelSpec spec,
      BatchLimit limit,
      MultiLayerConfiguration model,
      Regularisation regularisation,
      StackBuilder.Layers layers,
      int features) {
    this.spec = spec;
    this.limit = limit;
    this.regularisation = regularisation;
    List<ImageLayer> before = layers.front();
    this.dropout =
        before.size() == 1 && before.get(0) instanceof Dropout only
            ? Optional.of(only)
            : Optional.empty();
    this.front = new LayerSequence(dropout.isPresent() ? List.of() : before, features, false);
    this.stack = new DenseStack(model, layers.between(), MatrixMultipliers::forTraining);
    this.snapshot = new float[regularisation.isEmpty() ? 0 : stack.length()];
    this.sparseFeatures = new SparseRows(stack.first().inputs, stack.first().outputs);
  }

  @Override
  public int length() {
    return stack.length();
  }

  @Override
  public MathKernels kernels() {
    return NativeMath.kernels();
  }

  @Override
  public void initialWeights(float[] weights) {
    Learners.initialWeights(spec, weights);
  }

  @Override
  public void prepare(Batch batch) {
    if (front.isEmpty() && dropout.isEmpty() && batch.features().isSparse()) {
      sparseFeatures.take(batch.features(), 0, batch.size());
      prepared = Optional.of(batch);
    }
  }

  @Override
  public double gradient(float[] weights, Batch all, float[] gradient) {
    Batch batch = dropout.map(it -> it.ofFeatures(all)).orElse(all);
    Pass pass = Pass.training(batch);
    if (snapshot.length > 0) {
      System.arraycopy(weights, 0, snapshot, 0, snapshot.length);
    }
    takeWeights(weights);
    double lossSum = forward(weights, pass);
    stack.backward(weights, pass, gradient);
    int rows = batch.size();
    DenseStage stage = stack.first();
    if (!front.isEmpty()) {
      stage.gradient(front.output(), 0, rows, gradient);
      stage.backpropagate(weights, front.outputDelta(), rows);
      front.backward(pass, gradient);
    } else if (batch.features().isSparse()) {
      stage.gradient(sparseFeatures, rows, gradient);
    } else {
      stage.gradient(batch.features().values(), 0, rows, gradient);
    }
    regularisation.addTo(gradient, snapshot, batch.weight());
    trained = batch;
    trainedLossSum = lossSum;
    return lossSum;
  }

  @Override
  public Score scoreOfGradient() {
    return score(trained, 0, trained.size(), trainedLossSum);
  }

  @Override
  public Score evaluate(float[] weights, Batch batch) {
    takeWeights(weights);
    Score score = Score.NONE;
    int most = limit.atMost(evaluationRows());
    for (int first = 0; first < batch.size(); first += most) {
      int rows = Math.min(most, batch.size() - first);
      double lossSum = forward(weights, Pass.evaluation(batch, first, rows));
      score = score.plus(score(batch, first, rows, lossSum));
    }
    return score;
  }

  @Override
  public void close() {
    front.close();
    stack.close();
  }

  private int evaluationRows() {
    return front.isEmpty()
        ? EVALUATION_ROWS
        : Math.max(1, Math.min(EVALUATION_IMAGES, EVALUATION_FLOATS / front.largest()));
  }

  private Score score(Batch batch, int first, int rows, double lossSum) {
    DenseStage last = stack.last();
    return batch.targets().score(last.outputRows, last.outputs, first, rows, lossSum);
  }

  private void takeWeights(float[] weights) {
    front.takeWeights(weights);
    stack.takeWeights(weights);
  }

  private double forward(float[] weights, Pass pass) {
    Batch batch = pass.batch();
    int rows = pass.samples();
    limit.check(rows);
    stack.reserve(rows);
    DenseStage stage = stack.first();
    if (!front.isEmpty()) {
      front.reserve(rows);
      batch.features().copyRows(pass.first(), rows, front.input());
      front.forward(pass);
      stage.product(front.output(), 0, weights, rows);
    } else if (batch.features().isSparse()) {
      if (prepared.filter(next -> next.equals(batch) && rows == batch.size()).isEmpty()) {
        sparseFeatures.take(batch.features(), pass.first(), rows);
      }
      stage.product(sparseFeatures, weights, rows);
    } else {
      stage.product(batch.features().values(), pass.first() * stage.inputs, weights, rows);
    }
    prepared = Optional.empty();
    return stack.forward(weights, pass);
  }
}
