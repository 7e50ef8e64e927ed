package dev.braid.run.training;

import dev.braid.learner.optimiser.UpdaterSpec;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** Names of the optimisers that users type, and their default learning rates. */
public final class UpdaterNames {

  /** Adam with weight decay; Deeplearning4j has these as two settings. */
  static final String ADAMW = "adamw";

  public static final List<String> NAMES =
      Stream.concat(UpdaterSpec.NAMES.stream(), Stream.of(ADAMW)).toList();

  private UpdaterNames() {}

  /** Returns the optimiser's name without weight decay. */
  public static String withoutDecay(String name) {
    return name.equals(ADAMW) ? "adam" : name;
  }

  /** Returns the default weight decay. */
  public static OptionalDouble decay(String name) {
    return ADAMW.equals(name) ? OptionalDouble.of(0.01) : OptionalDouble.empty();
  }

  /** Returns the default learning rate, for the mean gradient of a few hundred samples. */
  public static double learningRate(String name) {
    return switch (name) {
      case "sgd", "momentum" -> 0.1;
      default -> 0.001;
    };
  }
}
