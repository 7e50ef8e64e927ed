package dev.braid.run.training;

import dev.braid.learner.optimiser.UpdaterSpec;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** The optimisers by the names that users type, and the learning rates they get by default. */
public final class UpdaterNames {

  /** Adam with weight decay, which Deeplearning4j has as two settings. */
  static final String ADAMW = "adamw";

  public static final List<String> NAMES =
      Stream.concat(UpdaterSpec.NAMES.stream(), Stream.of(ADAMW)).toList();

  private UpdaterNames() {}

  /** The optimiser's own name. */
  public static String withoutDecay(String name) {
    return name.equals(ADAMW) ? "adam" : name;
  }

  /** How much weights decay unless another share is asked for. */
  public static OptionalDouble decay(String name) {
    return ADAMW.equals(name) ? OptionalDouble.of(0.01) : OptionalDouble.empty();
  }

  /** For the mean gradient of a few hundred samples. */
  public static double learningRate(String name) {
    return switch (name) {
      case "sgd", "momentum" -> 0.1;
      default -> 0.001;
    };
  }
}
