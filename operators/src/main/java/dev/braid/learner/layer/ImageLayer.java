package dev.braid.learner.layer;

import dev.braid.learner.structure.ImageShape;

/**
 * A layer that makes images of images, which lie one after the other, each pixel by pixel. A row of
 * a fully connected layer is an image of one pixel here, with as many channels as it has numbers.
 */
public interface ImageLayer {

  /** What it makes of an image. */
  ImageShape output();

  /** Takes its weights from those of the whole model. */
  default void takeWeights(float[] weights) {}

  /** Computes {@code output} of the first images. */
  void forward(Pass pass, float[] input, float[] output);

  /**
   * Writes its part of the model's gradient, and what the images before it contribute.
   *
   * @param output as {@link #forward} has left it
   * @param delta the loss's gradient by {@code output}; may be overwritten
   * @param inputDelta the same by {@code input}; empty if nobody needs it
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
