package dev.braid.learner;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.bytedeco.javacpp.FloatPointer;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;

/**
 * Gradients of convolutions, max-poolings and fully connected layers.
 *
 * <p>What {@link DeepLearner} would compute, up to rounding, in a tenth of the time: Deeplearning4j
 * spends nearly all of its own in taking images apart, number by number. Here images lie pixel by
 * pixel, so that a window's row is one piece of memory; the gradient by the samples, which nobody
 * reads, is not computed; and gradients that are 0, as most are before a max-pooling, cost nothing.
 */
final class ConvolutionLearner implements Learner {

  /** Bound the memory of an evaluation: a convolution's activations may be large. */
  private static final int EVALUATION_ROWS = 100;

  private static final int EVALUATION_FLOATS = 1 << 22;

  private final ModelSpec spec;
  private final Regularisation regularisation;
  private final int features;
  private final List<ImageLayer> layers;
  private final DenseStack stack;

  /** How many numbers the largest layer makes of a sample. */
  private final int largest;

  /** The weights that a call began with, where penalties need them at its end. */
  private final float[] snapshot;

  private int capacity;

  /** The samples, and what each layer makes of them. */
  private final List<float[]> activations = new ArrayList<>();

  private final List<float[]> deltas = new ArrayList<>();
  private FloatPointer nativeFlat = new FloatPointer(1);

  /**
   * Of a model that is a {@link ConvolutionStack}.
   *
   * @param images the shape of a sample
   */
  ConvolutionLearner(
      ModelSpec spec,
      MultiLayerConfiguration model,
      Regularisation regularisation,
      ImageShape images) {
    this.spec = spec;
    this.regularisation = regularisation;
    this.features = images.size();
    this.layers = ConvolutionStack.layers(model, images);
    this.largest =
        layers.stream().mapToInt(layer -> layer.output().size()).reduce(features, Math::max);
    this.stack = new DenseStack(model, ConvolutionStack.of(model).dense());
    this.snapshot = new float[regularisation.isEmpty() ? 0 : stack.length()];
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
  public double gradient(float[] weights, Batch batch, float[] gradient) {
    int rows = batch.size();
    if (snapshot.length > 0) {
      System.arraycopy(weights, 0, snapshot, 0, snapshot.length);
    }
    takeWeights(weights);
    double lossSum = forward(batch, 0, rows);
    stack.backward(batch.labels(), rows, gradient);
    stack.first().gradient(nativeFlat, rows, gradient);
    stack.first().backpropagate(nativeFlat, rows);
    backward(rows, gradient);
    regularisation.addTo(gradient, snapshot, rows);
    return lossSum;
  }

  @Override
  public Score evaluate(float[] weights, Batch batch) {
    takeWeights(weights);
    DenseStage last = stack.last();
    long correct = 0;
    double lossSum = 0;
    int most = Math.max(1, Math.min(EVALUATION_ROWS, EVALUATION_FLOATS / largest));
    for (int first = 0; first < batch.size(); first += most) {
      int rows = Math.min(most, batch.size() - first);
      lossSum += forward(batch, first, rows);
      correct += Learners.correct(last.outputRows, last.outputs, batch.labels(), first, rows);
    }
    return new Score(batch.size(), correct, lossSum);
  }

  @Override
  public void close() {
    layers.forEach(ImageLayer::close);
    stack.close();
    nativeFlat.close();
  }

  private void takeWeights(float[] weights) {
    layers.forEach(layer -> layer.takeWeights(weights));
    stack.takeUpperWeights(weights);
    stack.first().takeWeights(weights);
  }

  private double forward(Batch batch, int first, int rows) {
    reserve(rows);
    batch.features().copyRows(first, rows, activations.get(0));
    for (int i = 0; i < layers.size(); i++) {
      layers.get(i).forward(activations.get(i), rows, activations.get(i + 1));
    }
    nativeFlat.put(activations.get(layers.size()), 0, rows * stack.first().inputs);
    stack.first().product(nativeFlat, rows);
    return stack.forward(batch.labels(), first, rows);
  }

  private void backward(int rows, float[] gradient) {
    nativeFlat.get(deltas.get(layers.size()), 0, rows * stack.first().inputs);
    for (int i = layers.size() - 1; i >= 0; i--) {
      layers
          .get(i)
          .backward(
              activations.get(i),
              activations.get(i + 1),
              deltas.get(i + 1),
              rows,
              gradient,
              deltas.get(i));
    }
  }

  private void reserve(int rows) {
    if ((long) rows * largest > Integer.MAX_VALUE) {
      throw new InvalidModelException(
          String.format(
              Locale.ROOT,
              "model %s: a layer makes %,d numbers of a sample: a batch of %,d is too large; %,d or"
                  + " fewer are needed",
              spec.name(),
              largest,
              rows,
              Integer.MAX_VALUE / largest));
    }
    stack.reserve(rows);
    if (rows <= capacity) {
      return;
    }
    capacity = rows;
    activations.clear();
    deltas.clear();
    activations.add(new float[rows * features]);
    // Nobody reads the gradient by the samples.
    deltas.add(new float[0]);
    for (ImageLayer layer : layers) {
      activations.add(new float[rows * layer.output().size()]);
      deltas.add(new float[rows * layer.output().size()]);
    }
    nativeFlat.close();
    nativeFlat = new FloatPointer((long) rows * stack.first().inputs);
  }
}
