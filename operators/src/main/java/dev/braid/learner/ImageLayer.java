package dev.braid.learner;

/**
 * A layer of a {@link ConvolutionLearner} that makes images of images. They lie one after the
 * other, each pixel by pixel.
 */
interface ImageLayer {

  /** What it makes of an image. */
  ImageShape output();

  /** Takes its weights from those of the whole model. */
  void takeWeights(float[] weights);

  /** Computes {@code output} of the first images. */
  void forward(float[] input, int images, float[] output);

  /**
   * Writes its part of the model's gradient, and what the images before it contribute.
   *
   * @param output as {@link #forward} has left it
   * @param delta the loss's gradient by {@code output}; may be overwritten
   * @param inputDelta the same by {@code input}; empty if nobody needs it
   */
  void backward(
      float[] input,
      float[] output,
      float[] delta,
      int images,
      float[] gradient,
      float[] inputDelta);

  default void close() {}
}
