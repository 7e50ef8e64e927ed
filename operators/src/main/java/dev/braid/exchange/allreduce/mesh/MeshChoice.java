package dev.braid.exchange.allreduce.mesh;

import dev.braid.exchange.option.UnknownWordException;
import java.io.Serializable;
import java.util.Arrays;
import java.util.stream.Collectors;

/** What users say of the algorithm: which, or that the {@link MeshChooser} is to take one. */
public sealed interface MeshChoice extends Serializable {

  /** The one that is predicted to take the least time with the ranks that are there. */
  MeshChoice AUTO = new Auto();

  /** The words that users may type. */
  String KNOWN =
      Arrays.stream(MeshAlgorithm.values())
          .map(MeshAlgorithm::title)
          .collect(Collectors.joining(", ", AUTO + ", ", ""));

  /** See {@link #AUTO}. */
  record Auto() implements MeshChoice {
    @Override
    public String toString() {
      return "auto";
    }
  }

  /** This one, whoever is there. */
  record Of(MeshAlgorithm algorithm) implements MeshChoice {
    @Override
    public String toString() {
      return algorithm.title();
    }
  }

  /**
   * As it is typed.
   *
   * @throws UnknownWordException if it is nothing of the kind
   */
  static MeshChoice of(String text) {
    if (text.equals(AUTO.toString())) {
      return AUTO;
    }
    return Arrays.stream(MeshAlgorithm.values())
        .filter(algorithm -> algorithm.title().equals(text))
        .findFirst()
        .<MeshChoice>map(Of::new)
        .orElseThrow(() -> new UnknownWordException(text, KNOWN));
  }
}
