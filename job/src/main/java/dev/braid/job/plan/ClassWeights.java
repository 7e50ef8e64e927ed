package dev.braid.job.plan;

import dev.braid.connectors.DataLocation;
import dev.braid.connectors.file.Texts;
import dev.braid.job.console.UsageException;
import dev.braid.job.options.TrainOptions;
import dev.braid.learner.InvalidModelException;
import dev.braid.learner.model.ModelSpec;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Weights of the samples of each class in a run's loss and gradients. The weights are part of the
 * model, so every worker has the same ones, whichever samples it is dealt.
 */
final class ClassWeights {

  /** Maximum weight, so that a float holds a weighted gradient. */
  private static final double GREATEST_WEIGHT = 1e6;

  private static final String NONE = "none";
  private static final String BALANCED = "balanced";

  /** Maximum number of classes named in a line. */
  private static final int SHOWN = 12;

  private final String typed;
  private final DataLocation.Contents contents;

  private ClassWeights(String typed, DataLocation.Contents contents) {
    this.typed = typed;
    this.contents = contents;
  }

  /**
   * Returns a run's model with the requested weights; without a request, the model as it is.
   *
   * @throws UsageException if the weights are invalid, or the model has no classes
   */
  static ModelSpec weighing(TrainOptions options, DataLocation.Contents contents, ModelSpec model) {
    Optional<String> asked = options.learning().other().classWeights();
    if (asked.isEmpty() || (asked.get().equals(NONE) && model.classWeights().length == 0)) {
      return model;
    }
    ClassWeights weights = new ClassWeights(asked.get(), contents);
    try {
      return model.withClassWeights(weights.values());
    } catch (InvalidModelException e) {
      throw weights.mistake(e.getMessage());
    }
  }

  /** Returns a line with the weights; empty if there are none. */
  static Optional<String> note(ModelSpec model, DataLocation.Contents contents) {
    double[] weights = model.classWeights();
    if (weights.length == 0) {
      return Optional.empty();
    }
    List<String> names = contents.location().classNames();
    String shown =
        IntStream.range(0, weights.length)
            .limit(SHOWN)
            .mapToObj(
                i ->
                    String.format(Locale.ROOT, "%s: %.4g", Texts.shorten(names.get(i)), weights[i]))
            .collect(Collectors.joining(", "));
    return Optional.of(
        "class weights of the loss: "
            + shown
            + (weights.length > SHOWN ? " and %d more".formatted(weights.length - SHOWN) : ""));
  }

  private double[] values() {
    if (contents.shape().hasValues()) {
      throw mistake("a regression has no classes");
    }
    return switch (typed) {
      case NONE -> new double[0];
      case BALANCED -> balanced();
      default -> byLabel();
    };
  }

  /** Returns weights with which all classes that have samples contribute equally. */
  private double[] balanced() {
    List<Integer> counts = contents.train().classCounts();
    long classes = counts.stream().filter(count -> count > 0).count();
    // The total is of the counts, which include samples that are held out.
    double all = counts.stream().mapToLong(count -> count).sum();
    return counts.stream().mapToDouble(count -> count == 0 ? 1 : all / (classes * count)).toArray();
  }

  private double[] byLabel() {
    List<String> names = contents.location().classNames();
    double[] weights = new double[names.size()];
    Arrays.fill(weights, 1);
    Set<String> given = new HashSet<>();
    for (String pair : typed.split(",", -1)) {
      int equals = pair.lastIndexOf('=');
      if (equals < 0) {
        throw mistake("must be none, balanced or LABEL=WEIGHT,…");
      }
      String label = pair.substring(0, equals).strip();
      if (names.indexOf(label) < 0) {
        throw mistake("no class " + label + ": the classes are " + Texts.list(names));
      }
      if (!given.add(label)) {
        throw mistake(label + " is given twice");
      }
      weights[names.indexOf(label)] = weight(pair.substring(equals + 1));
    }
    List<Integer> counts = contents.train().classCounts();
    double sum = 0;
    for (int i = 0; i < weights.length; i++) {
      sum += contents.countsClasses() ? weights[i] * counts.get(i) : weights[i];
    }
    if (!(sum > 0)) {
      throw mistake("all training samples have weight 0: use a weight above 0");
    }
    return weights;
  }

  private double weight(String text) {
    double weight;
    try {
      weight = Double.parseDouble(text);
    } catch (NumberFormatException e) {
      weight = Double.NaN;
    }
    if (!(weight >= 0 && weight <= GREATEST_WEIGHT)) {
      throw mistake(
          String.format(
              Locale.ROOT, "weight %s: must be a number from 0 to %,.0f", text, GREATEST_WEIGHT));
    }
    return weight;
  }

  private UsageException mistake(String message) {
    return new UsageException("--class-weights " + typed + ": " + message);
  }
}
