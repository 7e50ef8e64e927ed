package dev.braid.api;

import dev.braid.learner.model.ModelSpec;
import java.nio.file.Path;
import org.apache.flink.annotation.Internal;
import org.apache.flink.annotation.PublicEvolving;

/** The network that is trained. */
@PublicEvolving
public final class Network {

  private final String model;

  private Network(String model) {
    this.model = model;
  }

  /**
   * Returns a network that Braid knows, with as many inputs and outputs as the samples need.
   *
   * @param name such as {@code logistic}, {@code mlp} or {@code cnn}
   * @throws IllegalArgumentException if there is none of that name
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
   * Returns the network of a file on the machine where the program runs.
   *
   * @param file a configuration of Deeplearning4j (JSON), or a model whose weights training begins
   *     with: a saved model (zip), or an ONNX file such as PyTorch exports (.onnx)
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
