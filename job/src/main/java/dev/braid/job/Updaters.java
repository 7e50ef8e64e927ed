package dev.braid.job;

import dev.braid.learner.UpdaterSpec;
import java.util.List;
import java.util.stream.Stream;

/** The optimisers by the names that users type, and the learning rates they get by default. */
final class Updaters {

  /** Adam with weight decay, which Deeplearning4j has as two settings. */
  static final String ADAMW = "adamw";

  /** Unless another is asked for. */
  static final double ADAMW_DECAY = 0.01;

  static final List<String> NAMES =
      Stream.concat(UpdaterSpec.NAMES.stream(), Stream.of(ADAMW)).toList();

  private Updaters() {}

  /** The optimiser's own name. */
  static String withoutDecay(String name) {
    return name.equals(ADAMW) ? "adam" : name;
  }

  /** For the mean gradient of a few hundred samples. */
  static double learningRate(String name) {
    return switch (name) {
      case "sgd", "momentum" -> 0.1;
      default -> 0.001;
    };
  }
}
