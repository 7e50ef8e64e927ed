package dev.braid.learner.layer;

import java.util.List;

/** A sequence of zero or more layers, with the buffers between them. */
public final class LayerSequence {

  private final List<ImageLayer> layers;
  private final int inputSize;
  private final boolean needsInputDelta;
  private int capacity;

  /** The first layer's input and each layer's output; and the loss's gradient by them. */
  private final float[][] activations;

  private final float[][] deltas;

  /**
   * Creates a sequence in which each layer's input is the output of the layer before it.
   *
   * @param inputSize number of values per sample of the first layer's input
   * @param needsInputDelta whether the gradient by that input is needed
   */
  public LayerSequence(List<ImageLayer> layers, int inputSize, boolean needsInputDelta) {
    this.layers = List.copyOf(layers);
    this.inputSize = inputSize;
    this.needsInputDelta = needsInputDelta;
    this.activations = new float[layers.size() + 1][0];
    this.deltas = new float[layers.size() + 1][0];
  }

  public boolean isEmpty() {
    return layers.isEmpty();
  }

  /** Returns the highest number of values per sample of the first input or of a layer's output. */
  public int largest() {
    return layers.stream().mapToInt(layer -> layer.output().size()).reduce(inputSize, Math::max);
  }

  /** Reserves memory for {@code samples} samples. */
  public void reserve(int samples) {
    if (samples <= capacity) {
      return;
    }
    capacity = samples;
    for (int i = 0; i < activations.length; i++) {
      int length = samples * (i == 0 ? inputSize : layers.get(i - 1).output().size());
      activations[i] = new float[length];
      deltas[i] = new float[i > 0 || needsInputDelta ? length : 0];
    }
  }

  public void takeWeights(float[] weights) {
    layers.forEach(layer -> layer.takeWeights(weights));
  }

  /** Returns the input, which the caller fills before {@link #forward}. */
  public float[] input() {
    return activations[0];
  }

  public float[] output() {
    return activations[layers.size()];
  }

  /**
   * Returns the gradient by the output, which the caller fills before {@link #backward} overwrites
   * it.
   */
  public float[] outputDelta() {
    return deltas[layers.size()];
  }

  public float[] inputDelta() {
    return deltas[0];
  }

  public void forward(Pass pass) {
    for (int i = 0; i < layers.size(); i++) {
      layers.get(i).forward(pass, activations[i], activations[i + 1]);
    }
  }

  /** Writes the layers' part of the model's gradient. */
  public void backward(Pass pass, float[] gradient) {
    for (int i = layers.size() - 1; i >= 0; i--) {
      layers
          .get(i)
          .backward(pass, activations[i], activations[i + 1], deltas[i + 1], gradient, deltas[i]);
    }
  }

  public void close() {
    layers.forEach(ImageLayer::close);
  }
}
