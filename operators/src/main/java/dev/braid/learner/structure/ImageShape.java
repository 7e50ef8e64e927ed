package dev.braid.learner.structure;

/** The size of an image, or of what a layer makes of one, which lies pixel by pixel. */
public record ImageShape(int channels, int height, int width) {

  /** How many numbers one is. */
  public int size() {
    return Math.multiplyExact(Math.multiplyExact(channels, height), width);
  }

  /** From channel after channel, as data and Deeplearning4j have it, to pixel after pixel. */
  public void toPixels(float[] planes, int planesStart, float[] pixels, int pixelsStart) {
    int pixelCount = height * width;
    for (int c = 0; c < channels; c++) {
      for (int p = 0; p < pixelCount; p++) {
        pixels[pixelsStart + p * channels + c] = planes[planesStart + c * pixelCount + p];
      }
    }
  }

  /** The inverse of {@link #toPixels}. */
  public void toPlanes(float[] pixels, int pixelsStart, float[] planes, int planesStart) {
    int pixelCount = height * width;
    for (int c = 0; c < channels; c++) {
      for (int p = 0; p < pixelCount; p++) {
        planes[planesStart + c * pixelCount + p] = pixels[pixelsStart + p * channels + c];
      }
    }
  }
}
