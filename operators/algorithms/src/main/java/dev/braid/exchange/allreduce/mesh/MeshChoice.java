package dev.braid.exchange.allreduce.mesh;

import dev.braid.exchange.option.UnknownWordException;
import java.io.Serializable;
import java.util.Arrays;
import java.util.stream.Collectors;

/** A user's choice of the algorithm: a fixed one, or the choice of the {@link MeshChooser}. */
public sealed interface MeshChoice extends Serializable {

  /** The algorithm with the shortest predicted time for the present ranks. */
  MeshChoice AUTO = new Auto();

  /** List of the valid words, separated by commas. */
  String KNOWN =
      Arrays.stream(MeshAlgorithm.values())
          .map(MeshAlgorithm::title)
          .collect(Collectors.joining(", ", AUTO + ", ", ""));

  /** Type of {@link #AUTO}. */
  record Auto() implements MeshChoice {
    @Override
    public String toString() {
      return "auto";
    }
  }

  /** A fixed algorithm, independent of the present ranks. */
  record Of(MeshAlgorithm algorithm) implements MeshChoice {
    @Override
    public String toString() {
      return algorithm.title();
    }
  }

  /**
   * Parses a choice as typed by a user.
   *
   * @throws UnknownWordException if the text is not one of {@link #KNOWN}
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
