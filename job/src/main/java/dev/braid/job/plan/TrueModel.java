package dev.braid.job.plan;

import dev.braid.job.console.TextFile;
import dev.braid.job.console.UsageException;
import dev.braid.job.options.TrainOptions;
import dev.braid.job.options.Validation;
import dev.braid.learner.InvalidModelException;
import dev.braid.learner.Learner;
import dev.braid.learner.Shape;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.network.Learners;
import dev.braid.text.Printable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The parameters with which a regression's error is 0 (CodedReduce, eq. 11): either those from
 * which synthetic data was made, as text, or the optimum, as the model of another run.
 *
 * <p>Error rates are for models of one layer, and for other regressions if the true parameters are
 * given.
 */
final class TrueModel {

  static final String OPTION = "--true-model";

  private static final String SAVED_MODEL = ".zip";

  /** Largest size of a text, in bytes: about ten million parameters. */
  private static final long MOST_BYTES = 1L << 27;

  private static final Pattern SEPARATORS = Pattern.compile("[\\s,;]+");

  private TrueModel() {}

  /**
   * Returns the true parameters of a run, for the report.
   *
   * @return empty if no error rates are computed; of length 0 if the true parameters are unknown
   * @throws UsageException if the file is invalid, or of another model
   */
  static Optional<float[]> of(TrainOptions options, ModelSpec model, Shape shape) {
    Optional<String> place = options.learning().other().trueModel();
    if (place.isEmpty()) {
      boolean isRegression = model.parsed().getConfs().size() == 1;
      return isRegression ? Optional.of(new float[0]) : Optional.empty();
    }
    String file = place.get();
    int needed = parameters(model, shape);
    float[] truth =
        file.endsWith(SAVED_MODEL) ? ofModel(file) : ofText(file, needed, shape.outputs());
    if (truth.length != needed) {
      throw mistake(
          file, "has %,d parameters, but the model has %,d".formatted(truth.length, needed));
    }
    boolean isZero = true;
    for (float value : truth) {
      if (!Float.isFinite(value)) {
        throw mistake(file, value + " is not a parameter: must be a finite number");
      }
      isZero &= value == 0;
    }
    if (isZero) {
      throw mistake(file, "all parameters are 0: errors relative to 0 are undefined");
    }
    return Optional.of(truth);
  }

  private static int parameters(ModelSpec model, Shape shape) {
    try (Learner learner = Learners.create(model, shape)) {
      return learner.length();
    }
  }

  private static float[] ofModel(String file) {
    Path path = Validation.localPath(file);
    if (!Files.isRegularFile(path)) {
      throw mistake(file, "no such file");
    }
    try {
      float[] weights = ModelSpec.read(path, 0).weights();
      if (weights.length == 0) {
        throw mistake(file, "has no parameters: must be a trained model");
      }
      return weights;
    } catch (InvalidModelException e) {
      // The message would name the file twice.
      throw mistake(file, e.getMessage().replace("model " + path + ": ", ""));
    }
  }

  /** Reads numbers. If exactly the biases are missing, they are 0. */
  private static float[] ofText(String file, int needed, int outputs) {
    Path path = Validation.localPath(file);
    List<String> words =
        TextFile.lines(OPTION + " " + file, path, MOST_BYTES).stream()
            .flatMap(SEPARATORS::splitAsStream)
            .filter(word -> !word.isEmpty())
            .toList();
    float[] truth = new float[words.size() + outputs == needed ? needed : words.size()];
    for (int i = 0; i < words.size(); i++) {
      try {
        truth[i] = Float.parseFloat(words.get(i));
      } catch (NumberFormatException e) {
        throw new UsageException(
            OPTION + " " + file + ": \"" + shown(words.get(i)) + "\" is not a number", e);
      }
    }
    return truth;
  }

  private static String shown(String word) {
    int most = 20;
    return Printable.of(word.length() <= most ? word : word.substring(0, most) + "…");
  }

  private static UsageException mistake(String file, String what) {
    return new UsageException(OPTION + " " + file + ": " + what);
  }
}
