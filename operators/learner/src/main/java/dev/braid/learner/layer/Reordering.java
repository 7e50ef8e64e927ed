package dev.braid.learner.layer;

import dev.braid.learner.structure.ImageShape;

/** Converts images from channel after channel to pixel after pixel, or back. */
record Reordering(ImageShape shape, boolean toPixels) implements ImageLayer {

  @Override
  public ImageShape output() {
    return shape;
  }

  @Override
  public void forward(Pass pass, float[] input, float[] output) {
    int images = pass.samples();
    reorder(input, images, output, toPixels);
  }

  @Override
  public void backward(
      Pass pass,
      float[] input,
      float[] output,
      float[] delta,
      float[] gradient,
      float[] inputDelta) {
    int images = pass.samples();
    if (inputDelta.length > 0) {
      reorder(delta, images, inputDelta, !toPixels);
    }
  }

  private void reorder(float[] from, int images, float[] to, boolean pixels) {
    for (int start = 0; start < images * shape.size(); start += shape.size()) {
      if (pixels) {
        shape.toPixels(from, start, to, start);
      } else {
        shape.toPlanes(from, start, to, start);
      }
    }
  }
}
