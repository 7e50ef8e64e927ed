package dev.braid.job;

import java.util.List;

/** The optimisers by the names that users type, and the learning rates they get by default. */
final class Updaters {

  static final List<String> NAMES = List.of("sgd", "momentum", "adam");

  private static final List<String> PRESETS = List.of("logistic", "mlp", "cnn");

  private Updaters() {}

  static boolean isPreset(String model) {
    return PRESETS.contains(model);
  }

  /** For the mean gradient of a few hundred samples. */
  static double learningRate(String name) {
    return name.equals("adam") ? 0.001 : 0.1;
  }
}
