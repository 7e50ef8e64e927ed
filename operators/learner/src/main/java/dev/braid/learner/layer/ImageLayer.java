package dev.braid.learner.layer;

import dev.braid.learner.structure.ImageShape;

/**
 * A layer that turns images into images. Images are stored one after the other, each pixel by
 * pixel. The values of a fully connected layer are an image of one pixel, with as many channels as
 * there are values.
 */
public interface ImageLayer {

  /** Returns the shape of the layer's output for one image. */
  ImageShape output();

  /** Copies this layer's weights from those of the whole model. */
  default void takeWeights(float[] weights) {}

  /** Computes the output for the first images of {@code input}. */
  void forward(Pass pass, float[] input, float[] output);

  /**
   * Writes the layer's part of the model's gradient, and the gradient by its input.
   *
   * @param output as {@link #forward} has left it
   * @param delta the loss's gradient by {@code output}; may be overwritten
   * @param inputDelta written with the loss's gradient by {@code input}; empty if it is not needed
   */
  void backward(
      Pass pass,
      float[] input,
      float[] output,
      float[] delta,
      float[] gradient,
      float[] inputDelta);

  default void close() {}
}
