package dev.braid.learner.structure;

/** The size of an image, or of a layer's output, which is stored pixel by pixel. */
public record ImageShape(int channels, int height, int width) {

  /** Returns the number of elements in an image. */
  public int size() {
    return Math.multiplyExact(Math.multiplyExact(channels, height), width);
  }

  /**
   * Converts an image from channel after channel, the order of data and Deeplearning4j, to pixel
   * after pixel.
   */
  public void toPixels(float[] planes, int planesStart, float[] pixels, int pixelsStart) {
    int pixelCount = height * width;
    for (int c = 0; c < channels; c++) {
      for (int p = 0; p < pixelCount; p++) {
        pixels[pixelsStart + p * channels + c] = planes[planesStart + c * pixelCount + p];
      }
    }
  }

  /**
   * Converts an image from pixel after pixel to channel after channel; the inverse of {@link
   * #toPixels}.
   */
  public void toPlanes(float[] pixels, int pixelsStart, float[] planes, int planesStart) {
    int pixelCount = height * width;
    for (int c = 0; c < channels; c++) {
      for (int p = 0; p < pixelCount; p++) {
        planes[planesStart + c * pixelCount + p] = pixels[pixelsStart + p * channels + c];
      }
    }
  }
}
