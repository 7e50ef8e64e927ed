package dev.braid.run.report;

import java.io.IOException;
import java.io.OutputStream;
import java.io.Serializable;
import java.util.Optional;

/** How a model is written, on the machine where the report runs. */
public interface ModelFormat extends Serializable {

  /** What decides the bits of a gradient: the native math library, its version and settings. */
  String nativeLibrary();

  /**
   * Writes a model file.
   *
   * @param weights all of them, as one vector
   * @param updaterState the updater's vectors, each of the weights' length
   * @param steps steps that the updater has taken
   */
  void write(float[] weights, float[][] updaterState, long steps, OutputStream out)
      throws IOException;

  /**
   * Returns what a model with these weights expects, as JSON.
   *
   * @param card what is known of it without the weights; empty if a program knows it
   */
  default String card(String card, float[] weights) {
    return card;
  }

  /**
   * Returns the model as an ONNX file, if it can be one.
   *
   * @param card what the model expects, as JSON
   */
  default Optional<byte[]> onnx(String card, float[] weights) {
    return Optional.empty();
  }
}
