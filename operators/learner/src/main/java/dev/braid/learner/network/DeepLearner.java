package dev.braid.learner.network;

import dev.braid.learner.Batch;
import dev.braid.learner.Features;
import dev.braid.learner.Learner;
import dev.braid.learner.Targets;
import dev.braid.learner.layer.DropoutMask;
import dev.braid.learner.math.MathKernels;
import dev.braid.learner.math.NativeMath;
import dev.braid.learner.math.NativeVectors;
import dev.braid.learner.model.BatchLimit;
import dev.braid.learner.model.ModelCheck;
import dev.braid.learner.model.ModelInput;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.optimiser.ParameterKinds;
import dev.braid.learner.structure.RecurrentLayers;
import dev.braid.learner.structure.Regularisation;
import dev.braid.vector.Range;
import dev.braid.vector.Vectors;
import java.util.Arrays;
import java.util.List;
import org.bytedeco.javacpp.FloatPointer;
import org.deeplearning4j.nn.conf.dropout.Dropout;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.factory.Nd4j;

/**
 * Computes gradients of any network that {@link ModelCheck} accepts, with Deeplearning4j.
 *
 * <p>Deeplearning4j's flattened gradient is the sum over samples, in the order of its flat
 * parameters. It would divide the gradient, add penalties and apply the updater afterwards; these
 * steps are not used here.
 */
final class DeepLearner implements Learner {

  /** Limit on the memory of an evaluation, because a convolution's activations may be large. */
  private static final int EVALUATION_ROWS = 256;

  private final ModelSpec spec;
  private final BatchLimit limit;
  private final MultiLayerNetwork network;
  private final Regularisation regularisation;
  private final ModelInput input;
  private final int width;
  private final int outputs;
  private final int length;
  private final FloatPointer parameters;
  private final FloatPointer gradients;
  private final DenseLoss loss;
  private final List<Range> statistics;

  /** The weights at the start of a call, kept if penalties need them at its end. */
  private final float[] snapshot;

  private INDArray features = Nd4j.createUninitialized(DataType.FLOAT, 1);
  private INDArray labels = Nd4j.createUninitialized(DataType.FLOAT, 1);
  private float[] wanted = {};
  private float[] allFeatures = {};
  private float[] arranged = {};

  /** The batch of which the network computes the gradient. */
  private Batch current = new Batch(0, new int[0], Features.NONE, new int[0], false);

  /**
   * @param network initialised; owned by this learner from now on
   * @param input the form in which the network receives a sample
   */
  DeepLearner(
      ModelSpec spec,
      BatchLimit limit,
      MultiLayerNetwork network,
      Regularisation regularisation,
      ModelInput input,
      int outputs) {
    this.spec = spec;
    this.limit = limit;
    this.network = network;
    this.regularisation = regularisation;
    this.input = input;
    this.outputs = outputs;
    this.width = input.imageShape().size();
    this.length = Math.toIntExact(network.numParams());
    this.snapshot = new float[regularisation.isEmpty() ? 0 : length];
    this.statistics = ParameterKinds.of(network.getLayerWiseConfigurations()).statistics();
    seedDropouts();
    network.initGradientsView();
    this.parameters = NativeVectors.pointer(network.params());
    this.gradients = NativeVectors.pointer(network.getFlattenedGradients());
    OutputLayer last = (OutputLayer) network.getOutputLayer().conf().getLayer();
    this.loss = DenseLoss.of(last.getActivationFn(), last.getLossFn());
  }

  /** Replaces Deeplearning4j's dropouts, whose masks cannot be reproduced. */
  private void seedDropouts() {
    long seed = network.getLayerWiseConfigurations().getConf(0).getSeed();
    for (int i = 0; i < network.getnLayers(); i++) {
      Layer layer = network.getLayer(i).conf().getLayer();
      Layer inner = RecurrentLayers.inner(layer).<Layer>map(it -> it).orElse(layer);
      if (inner.getIDropout() instanceof Dropout dropout) {
        inner.setIDropout(
            new SampleDropout(new DropoutMask(seed, i, dropout.getP()), () -> current));
      }
    }
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
  public double gradient(float[] weights, Batch batch, float[] gradient) {
    if (!batch.isPlainSum()) {
      throw new IllegalArgumentException(
          "Deeplearning4j's layers compute no linear combination of gradients, only their sum");
    }
    int rows = batch.size();
    current = batch;
    parameters.put(weights, 0, length);
    if (snapshot.length > 0) {
      System.arraycopy(weights, 0, snapshot, 0, length);
    }
    reserve(rows);
    takeFeatures(batch.features(), 0, rows);
    takeTargets(batch.targets(), 0, rows);
    network.setInput(features);
    network.setLabels(labels);
    network.computeGradientAndScore();
    double lossSum = meanLoss(network.score()) * rows;
    network.clearLayersStates();
    gradients.get(gradient, 0, length);
    // Deeplearning4j returns the change of statistics to subtract, and not a sum over the samples.
    statistics.forEach(range -> Vectors.scale(gradient, rows, range));
    regularisation.addTo(gradient, snapshot, rows);
    return lossSum;
  }

  @Override
  public Score evaluate(float[] weights, Batch batch) {
    parameters.put(weights, 0, length);
    Score score = Score.NONE;
    int most = limit.atMost(EVALUATION_ROWS);
    for (int first = 0; first < batch.size(); first += most) {
      int rows = Math.min(most, batch.size() - first);
      reserve(rows);
      takeFeatures(batch.features(), first, rows);
      takeTargets(batch.targets(), first, rows);
      float[] given = NativeVectors.toArray(network.output(features, false).dup('c'));
      double lossSum = lossSum(given, batch.targets(), first, rows);
      score = score.plus(batch.targets().score(given, outputs, first, rows, lossSum));
    }
    return score;
  }

  @Override
  public void close() {
    features.close();
    labels.close();
    loss.close();
    network.close();
  }

  /** Returns Deeplearning4j's score without penalties. */
  private double meanLoss(double score) {
    return score - network.calcRegularizationScore(true);
  }

  private double lossSum(float[] given, Targets targets, int first, int rows) {
    if (!(loss instanceof DenseLoss.SoftmaxCrossEntropy crossEntropy
        && targets instanceof Targets.Classes classes)) {
      // This takes a second forward pass: Deeplearning4j returns either outputs or losses, and only
      // softmax cross entropy can be computed from outputs. scoreExamples is not used, because it
      // does not divide LossMAE by the number of outputs.
      return meanLoss(network.score(new DataSet(features, labels), false)) * rows;
    }
    double sum = 0;
    for (int r = 0; r < rows; r++) {
      int label = classes.labels()[first + r];
      sum += crossEntropy.loss(label, given[r * outputs + label]);
    }
    return sum;
  }

  private void reserve(int rows) {
    limit.check(rows);
    long[] shape = input.arrayShape(rows);
    if (Arrays.equals(features.shape(), shape)) {
      return;
    }
    features.close();
    labels.close();
    features = Nd4j.createUninitialized(DataType.FLOAT, shape);
    labels = Nd4j.createUninitialized(DataType.FLOAT, rows, outputs);
    wanted = new float[rows * outputs];
    allFeatures = new float[rows * width];
    arranged = new float[rows * width];
  }

  private void takeFeatures(Features all, int first, int rows) {
    if (all.isSparse()) {
      all.copyRows(first, rows, allFeatures);
      input.arrange(allFeatures, 0, rows, arranged);
    } else {
      input.arrange(all.values(), first, rows, arranged);
    }
    NativeVectors.pointer(features).put(arranged, 0, rows * width);
  }

  private void takeTargets(Targets targets, int first, int rows) {
    if (targets.weights().length > 0) {
      throw new IllegalArgumentException(
          "Deeplearning4j's layers do not support weights of samples");
    }
    targets.copyRows(first, rows, outputs, wanted);
    NativeVectors.put(wanted, labels);
  }
}
