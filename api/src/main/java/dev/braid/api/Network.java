package dev.braid.api;

import dev.braid.learner.model.ModelSpec;
import java.nio.file.Path;
import org.apache.flink.annotation.Internal;
import org.apache.flink.annotation.PublicEvolving;

/** A network to train. */
@PublicEvolving
public final class Network {

  private final String model;

  private Network(String model) {
    this.model = model;
  }

  /**
   * Returns a preset of Braid, with the inputs and outputs that the samples need.
   *
   * @param name name of the preset, such as {@code logistic}, {@code mlp} or {@code cnn}
   * @throws IllegalArgumentException if no preset has this name
   */
  public static Network preset(String name) {
    if (!ModelSpec.isPreset(name)) {
      throw new IllegalArgumentException(
          "network %s: one of %s is needed"
              .formatted(name, String.join(", ", ModelSpec.presets())));
    }
    return new Network(name);
  }

  /**
   * Returns the network in a file on the machine that runs the program.
   *
   * @param file a Deeplearning4j configuration (JSON), or a model to train further: a saved model
   *     (zip), or an ONNX file (.onnx), as PyTorch exports it
   */
  public static Network file(Path file) {
    return new Network(file.toString());
  }

  /** Returns the preset's name, or the file. */
  @Internal
  public String model() {
    return model;
  }
}
