package dev.braid.learner;

import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.FloatPointer;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.BaseLayer;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.FeedForwardLayer;
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
 * product again on the way back; and allocates as it goes.
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
  private final FloatPointer nativeWeights;
  private final FloatPointer nativeGradient;
  private final List<DenseStage> stages = new ArrayList<>();
  private final List<DenseActivation> activations = new ArrayList<>();
  private final DenseLoss loss;

  private INDArray featureArray = Nd4j.createUninitialized(DataType.FLOAT, 1);
  private FloatPointer features = NativeVectors.pointer(featureArray);

  /** The weights that a call began with, where penalties need them at its end. */
  private final float[] snapshot;

  DenseLearner(ModelSpec spec, MultiLayerConfiguration model, Regularisation regularisation) {
    this.spec = spec;
    this.regularisation = regularisation;
    this.length = parameters(model);
    this.snapshot = new float[regularisation.isEmpty() ? 0 : length];
    this.weightArray = Nd4j.create(DataType.FLOAT, length);
    this.gradientArray = Nd4j.create(DataType.FLOAT, length);
    this.nativeWeights = NativeVectors.pointer(weightArray);
    this.nativeGradient = NativeVectors.pointer(gradientArray);
    int start = 0;
    for (NeuralNetConfiguration conf : model.getConfs()) {
      FeedForwardLayer layer = (FeedForwardLayer) conf.getLayer();
      DenseStage stage =
          new DenseStage(
              Math.toIntExact(layer.getNIn()),
              Math.toIntExact(layer.getNOut()),
              hasBias(layer),
              start,
              weightArray,
              gradientArray);
      stages.add(stage);
      start += stage.length();
      if (layer instanceof DenseLayer) {
        activations.add(DenseActivation.of(layer.getActivationFn()));
      }
    }
    OutputLayer last = (OutputLayer) model.getConf(stages.size() - 1).getLayer();
    this.loss = DenseLoss.of(last.getActivationFn(), last.getLossFn());
  }

  /** Whether the model is a stack of fully connected layers and nothing else. */
  static boolean takes(MultiLayerConfiguration model) {
    boolean takes = model.getInputPreProcessors().isEmpty();
    for (NeuralNetConfiguration conf : model.getConfs()) {
      takes &=
          conf.getLayer() instanceof OutputLayer
              || (conf.getLayer() instanceof DenseLayer dense && !dense.hasLayerNorm());
    }
    return takes;
  }

  @Override
  public int length() {
    return length;
  }

  @Override
  public void initialWeights(float[] weights) {
    Learners.initialWeights(spec, weights);
  }

  @Override
  public double gradient(float[] weights, Batch batch, float[] gradient) {
    int rows = batch.size();
    takeWeights(weights);
    if (snapshot.length > 0) {
      System.arraycopy(weights, 0, snapshot, 0, length);
    }
    takeFeatures(batch.features(), 0, rows);
    double lossSum = forward(batch.labels(), 0, rows);

    int last = stages.size() - 1;
    loss.backward(stages.get(last), batch.labels(), rows);
    for (int i = last; i > 0; i--) {
      DenseStage below = stages.get(i - 1);
      stages.get(i).weightGradient(below.output, rows);
      stages.get(i).backpropagate(below.delta, rows);
      activations.get(i - 1).backward(below, rows);
    }
    stages.get(0).weightGradient(features, rows);

    nativeGradient.get(gradient, 0, length);
    for (DenseStage stage : stages) {
      stage.writeBiasGradient(gradient, rows);
    }
    regularisation.addTo(gradient, snapshot, rows);
    return lossSum;
  }

  @Override
  public Score evaluate(float[] weights, Batch batch) {
    takeWeights(weights);
    DenseStage last = stages.get(stages.size() - 1);
    long correct = 0;
    double lossSum = 0;
    for (int first = 0; first < batch.size(); first += EVALUATION_ROWS) {
      int rows = Math.min(EVALUATION_ROWS, batch.size() - first);
      takeFeatures(batch.features(), first, rows);
      lossSum += forward(batch.labels(), first, rows);
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

  private void takeWeights(float[] weights) {
    nativeWeights.put(weights, 0, length);
    for (DenseStage stage : stages) {
      stage.readBiases(weights);
    }
  }

  private void takeFeatures(float[] rowsOfFeatures, int first, int rows) {
    int width = stages.get(0).inputs;
    if (featureArray.length() < (long) rows * width) {
      featureArray.close();
      featureArray = Nd4j.createUninitialized(DataType.FLOAT, (long) rows * width);
      features = NativeVectors.pointer(featureArray);
    }
    features.put(rowsOfFeatures, first * width, rows * width);
  }

  private double forward(int[] labels, int first, int rows) {
    FloatPointer input = features;
    for (int i = 0; i < activations.size(); i++) {
      DenseStage stage = stages.get(i);
      stage.reserve(rows);
      stage.product(input, rows);
      activations.get(i).forward(stage, rows);
      input = stage.output;
    }
    DenseStage last = stages.get(stages.size() - 1);
    last.reserve(rows);
    last.product(input, rows);
    return loss.forward(last, labels, first, rows);
  }

  private static int parameters(MultiLayerConfiguration model) {
    long parameters = 0;
    for (NeuralNetConfiguration conf : model.getConfs()) {
      FeedForwardLayer layer = (FeedForwardLayer) conf.getLayer();
      parameters += layer.getNIn() * layer.getNOut() + (hasBias(layer) ? layer.getNOut() : 0);
    }
    return Math.toIntExact(parameters);
  }

  private static boolean hasBias(BaseLayer layer) {
    return layer instanceof DenseLayer dense ? dense.hasBias() : ((OutputLayer) layer).hasBias();
  }
}
