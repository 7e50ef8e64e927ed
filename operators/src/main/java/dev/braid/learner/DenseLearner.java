package dev.braid.learner;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bytedeco.javacpp.FloatPointer;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.memory.MemoryWorkspace;
import org.nd4j.linalg.api.memory.conf.WorkspaceConfiguration;
import org.nd4j.linalg.api.memory.enums.LearningPolicy;
import org.nd4j.linalg.api.memory.enums.SpillPolicy;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/**
 * Gradients of stacks of fully connected layers: the model's matrix products, and next to nothing
 * else.
 *
 * <p>What {@link DeepLearner} would compute, up to rounding, in less than half of the time for
 * small networks: Deeplearning4j also computes the gradient by the samples themselves, a product as
 * large as the other two of the first layer, which nobody reads; computes each layer's forward
 * product again on the way back; and allocates as it goes. Here, too, features that are 0 cost
 * nothing where most are ({@link SparseRows}).
 */
final class DenseLearner implements Learner {

  /** Bounds the memory of an evaluation, at no cost: products are as fast from a hundred rows. */
  private static final int EVALUATION_ROWS = 256;

  private static final WorkspaceConfiguration WORKSPACE =
      WorkspaceConfiguration.builder()
          .policyLearning(LearningPolicy.FIRST_LOOP)
          .policySpill(SpillPolicy.REALLOCATE)
          .build();

  private final ModelSpec spec;
  private final int length;
  private final Regularisation regularisation;
  private final INDArray weightArray;
  private final INDArray gradientArray;
  private final List<DenseStage> stages = new ArrayList<>();
  private final List<DenseActivation> activations = new ArrayList<>();
  private final DenseLoss loss;

  private INDArray featureArray = Nd4j.createUninitialized(DataType.FLOAT, 1);
  private FloatPointer features = NativeVectors.pointer(featureArray);

  private final SparseRows sparseFeatures;

  /** Whose samples are in {@link #sparseFeatures} before their gradient is asked for. */
  private Optional<Batch> prepared = Optional.empty();

  /** The weights that a call began with, where penalties need them at its end. */
  private final float[] snapshot;

  DenseLearner(ModelSpec spec, MultiLayerConfiguration model, Regularisation regularisation) {
    this.spec = spec;
    this.regularisation = regularisation;
    List<DenseShape> layers = DenseShape.stack(model);
    this.length = layers.get(layers.size() - 1).end();
    this.snapshot = new float[regularisation.isEmpty() ? 0 : length];
    this.weightArray = Nd4j.create(DataType.FLOAT, length);
    this.gradientArray = Nd4j.create(DataType.FLOAT, length);
    for (int i = 0; i < layers.size(); i++) {
      stages.add(new DenseStage(layers.get(i), weightArray, gradientArray));
      if (model.getConf(i).getLayer() instanceof DenseLayer layer) {
        activations.add(DenseActivation.of(layer.getActivationFn()));
      }
    }
    this.sparseFeatures = new SparseRows(layers.get(0).inputs(), layers.get(0).outputs());
    OutputLayer last = (OutputLayer) model.getConf(stages.size() - 1).getLayer();
    this.loss = DenseLoss.of(last.getActivationFn(), last.getLossFn());
  }

  @Override
  public int length() {
    return length;
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
    if (batch.features().isSparse()) {
      sparseFeatures.take(batch.features(), 0, batch.size());
      prepared = Optional.of(batch);
    }
  }

  @Override
  public double gradient(float[] weights, Batch batch, float[] gradient) {
    int rows = batch.size();
    if (snapshot.length > 0) {
      System.arraycopy(weights, 0, snapshot, 0, length);
    }
    takeUpperWeights(weights);
    double lossSum = forward(weights, batch, 0, rows);

    int last = stages.size() - 1;
    loss.backward(stages.get(last), batch.labels(), rows);
    for (int i = last; i > 0; i--) {
      DenseStage below = stages.get(i - 1);
      stages.get(i).gradient(below.output, rows, gradient);
      stages.get(i).backpropagate(below.delta, rows);
      activations.get(i - 1).backward(below, rows);
    }
    if (batch.features().isSparse()) {
      stages.get(0).gradient(sparseFeatures, rows, gradient);
    } else {
      stages.get(0).gradient(features, rows, gradient);
    }
    regularisation.addTo(gradient, snapshot, rows);
    return lossSum;
  }

  @Override
  public Score evaluate(float[] weights, Batch batch) {
    takeUpperWeights(weights);
    DenseStage last = stages.get(stages.size() - 1);
    long correct = 0;
    double lossSum = 0;
    for (int first = 0; first < batch.size(); first += EVALUATION_ROWS) {
      int rows = Math.min(EVALUATION_ROWS, batch.size() - first);
      lossSum += forward(weights, batch, first, rows);
      correct += Learners.correct(last.outputRows, last.outputs, batch.labels(), first, rows);
    }
    return new Score(batch.size(), correct, lossSum);
  }

  @Override
  public void close() {
    stages.forEach(DenseStage::close);
    activations.forEach(DenseActivation::close);
    loss.close();
    featureArray.close();
    weightArray.close();
    gradientArray.close();
  }

  /** Runs ND4J operations whose temporary arrays are recycled at the end, not left to the GC. */
  static void inWorkspace(Runnable operations) {
    MemoryWorkspace workspace =
        Nd4j.getWorkspaceManager().getAndActivateWorkspace(WORKSPACE, "BRAID_DENSE");
    try {
      operations.run();
    } finally {
      workspace.close();
    }
  }

  /** The first layer's are taken by {@link #firstProduct}. */
  private void takeUpperWeights(float[] weights) {
    stages.forEach(stage -> stage.takeBiases(weights));
    stages.stream().skip(1).forEach(stage -> stage.takeWeights(weights));
  }

  private double forward(float[] weights, Batch batch, int first, int rows) {
    stages.forEach(stage -> stage.reserve(rows));
    firstProduct(weights, batch, first, rows);
    for (int i = 1; i < stages.size(); i++) {
      DenseStage below = stages.get(i - 1);
      activations.get(i - 1).forward(below, rows);
      stages.get(i).product(below.output, rows);
    }
    return loss.forward(stages.get(stages.size() - 1), batch.labels(), first, rows);
  }

  private void firstProduct(float[] weights, Batch batch, int first, int rows) {
    DenseStage stage = stages.get(0);
    if (batch.features().isSparse()) {
      if (prepared.filter(next -> next.equals(batch) && rows == batch.size()).isEmpty()) {
        sparseFeatures.take(batch.features(), first, rows);
      }
      stage.product(sparseFeatures, weights, rows);
    } else {
      takeFeatures(batch.features(), first, rows);
      stage.takeWeights(weights);
      stage.product(features, rows);
    }
    prepared = Optional.empty();
  }

  private void takeFeatures(Features all, int first, int rows) {
    int width = stages.get(0).inputs;
    if (featureArray.length() < (long) rows * width) {
      featureArray.close();
      featureArray = Nd4j.createUninitialized(DataType.FLOAT, (long) rows * width);
      features = NativeVectors.pointer(featureArray);
    }
    features.put(all.values(), first * width, rows * width);
  }
}
