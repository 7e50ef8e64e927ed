package dev.braid.run.report;

import java.io.IOException;
import java.io.OutputStream;
import java.io.Serializable;
import java.util.Optional;

/** Format of a model's files. The report writes them on the machine where it runs. */
public interface ModelFormat extends Serializable {

  /**
   * Describes what decides the bits of a gradient: the native math library, its version and
   * settings.
   */
  String nativeLibrary();

  /**
   * Writes a model file.
   *
   * @param weights all weights, as one vector
   * @param updaterState the updater's vectors, each {@code float[weights.length]}
   * @param steps number of steps that the updater has taken
   */
  void write(float[] weights, float[][] updaterState, long steps, OutputStream out)
      throws IOException;

  /**
   * Returns the card of a model with these weights, as JSON.
   *
   * @param card card without the parts that depend on the weights; empty if only the program knows
   *     what the model expects
   */
  default String card(String card, float[] weights) {
    return card;
  }

  /**
   * Returns the model as an ONNX file, if ONNX can represent it.
   *
   * @param card card of the model, as JSON
   */
  default Optional<byte[]> onnx(String card, float[] weights) {
    return Optional.empty();
  }
}
