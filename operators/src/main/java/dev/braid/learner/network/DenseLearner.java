package dev.braid.learner.network;

import dev.braid.learner.Batch;
import dev.braid.learner.Features;
import dev.braid.learner.Learner;
import dev.braid.learner.layer.Dropout;
import dev.braid.learner.layer.Pass;
import dev.braid.learner.layer.StackBuilder;
import dev.braid.learner.math.MathKernels;
import dev.braid.learner.math.NativeMath;
import dev.braid.learner.matrix.MatrixMultipliers;
import dev.braid.learner.model.BatchLimit;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.structure.ModelStack;
import dev.braid.learner.structure.Regularisation;
import java.util.Optional;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;

/**
 * Computes gradients of stacks of fully connected layers: little more than the model's matrix
 * products.
 *
 * <p>It computes the gradient of {@link DeepLearner}, up to rounding, in less than half of the time
 * for small networks. Deeplearning4j also computes the gradient by the samples, which is not
 * needed, and takes a product as large as each of the first layer's other two. It computes each
 * layer's forward product again in the backward pass, and allocates memory. Here, if most features
 * are 0, these cost nothing ({@link SparseRows}).
 */
final class DenseLearner implements Learner {

  /**
   * Limit on the memory of an evaluation. It costs no speed: products reach their full speed at
   * about a hundred rows.
   */
  private static final int EVALUATION_ROWS = 256;

  /** The batch of the last gradient, whose outputs the stack still holds. */
  private Batch trained = new Batch(0, new int[0], Features.NONE, new int[0], false);

  private double trainedLossSum;

  private final ModelSpec spec;
  private final BatchLimit limit;
  private final Regularisation regularisation;
  private final DenseStack stack;

  /** Dropout of the features, if the model begins with one. */
  private final Optional<Dropout> dropout;

  private final SparseRows sparseFeatures;

  /** The batch whose samples {@link #prepare} has put into {@link #sparseFeatures}. */
  private Optional<Batch> prepared = Optional.empty();

  /** The weights at the start of a call, kept if penalties need them at its end. */
  private final float[] snapshot;

  /**
   * Creates a learner for a model that is a {@link ModelStack}.
   *
   * @param layers layers without any before the first fully connected layer, except for an optional
   *     dropout
   */
  DenseLearner(
      ModelSpec spec,
      BatchLimit limit,
      MultiLayerConfiguration model,
      Regularisation regularisation,
      StackBuilder.Layers layers) {
    this.spec = spec;
    this.limit = limit;
    this.regularisation = regularisation;
    this.dropout =
        layers.front().isEmpty() ? Optional.empty() : Optional.of((Dropout) layers.front().get(0));
    this.stack = new DenseStack(model, layers.between(), MatrixMultipliers::of);
    this.snapshot = new float[regularisation.isEmpty() ? 0 : stack.length()];
    this.sparseFeatures = new SparseRows(stack.first().inputs, stack.first().outputs);
  }

  @Override
  public int length() {
    return stack.length();
  }

  @Override
  public MathKernels kernels() {
    return MatrixMultipliers.kernels(NativeMath.kernels(), stack.mostOutputs());
  }

  @Override
  public void initialWeights(float[] weights) {
    Learners.initialWeights(spec, weights);
  }

  @Override
  public void prepare(Batch batch) {
    if (dropout.isEmpty() && batch.features().isSparse()) {
      sparseFeatures.take(batch.features(), 0, batch.size());
      prepared = Optional.of(batch);
    }
  }

  @Override
  public double gradient(float[] weights, Batch all, float[] gradient) {
    Batch batch = dropout.map(it -> it.ofFeatures(all)).orElse(all);
    Pass pass = Pass.training(batch);
    int rows = batch.size();
    if (snapshot.length > 0) {
      System.arraycopy(weights, 0, snapshot, 0, snapshot.length);
    }
    stack.takeWeights(weights);
    double lossSum = forward(weights, pass);
    stack.backward(weights, pass, gradient);
    if (batch.features().isSparse()) {
      stack.first().gradient(sparseFeatures, rows, gradient);
    } else {
      stack.first().gradient(batch.features().values(), 0, rows, gradient);
    }
    regularisation.addTo(gradient, snapshot, batch.weight());
    trained = batch;
    trainedLossSum = lossSum;
    return lossSum;
  }

  @Override
  public Score scoreOfGradient() {
    DenseStage last = stack.last();
    return trained
        .targets()
        .score(last.outputRows, last.outputs, 0, trained.size(), trainedLossSum);
  }

  @Override
  public Score evaluate(float[] weights, Batch batch) {
    stack.takeWeights(weights);
    DenseStage last = stack.last();
    Score score = Score.NONE;
    int most = limit.atMost(EVALUATION_ROWS);
    for (int first = 0; first < batch.size(); first += most) {
      int rows = Math.min(most, batch.size() - first);
      double lossSum = forward(weights, Pass.evaluation(batch, first, rows));
      score =
          score.plus(batch.targets().score(last.outputRows, last.outputs, first, rows, lossSum));
    }
    return score;
  }

  @Override
  public void close() {
    stack.close();
  }

  private double forward(float[] weights, Pass pass) {
    limit.check(pass.samples());
    stack.reserve(pass.samples());
    firstProduct(weights, pass.batch(), pass.first(), pass.samples());
    return stack.forward(weights, pass);
  }

  private void firstProduct(float[] weights, Batch batch, int first, int rows) {
    DenseStage stage = stack.first();
    if (batch.features().isSparse()) {
      if (prepared.filter(next -> next.equals(batch) && rows == batch.size()).isEmpty()) {
        sparseFeatures.take(batch.features(), first, rows);
      }
      stage.product(sparseFeatures, weights, rows);
    } else {
      stage.product(batch.features().values(), first * stage.inputs, weights, rows);
    }
    prepared = Optional.empty();
  }
}
