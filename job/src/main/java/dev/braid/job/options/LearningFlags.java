package dev.braid.job.options;

import dev.braid.job.console.Typed;
import dev.braid.job.console.UsageException;
import dev.braid.learner.optimiser.EpochSchedule;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** Options of {@code braid train} for the schedule, limits, weights and early end of learning. */
final class LearningFlags {

  private static final String SCHEDULE = "--schedule";
  private static final String SCHEDULES =
      "constant, step:EPOCHS:FACTOR such as step:3:0.1, or cosine:END such as cosine:0.01,";

  private static final double USUAL_STEP = 3;
  private static final double USUAL_FACTOR = 0.1;

  /** Upper bound of epochs, more than any training needs. */
  private static final double MOST_EPOCHS = 1e6;

  private static final Pattern CLIP = Pattern.compile("(norm|value):(.+)");

  @Option(
      names = SCHEDULE,
      paramLabel = "NAME",
      description = {
        "Schedule of the learning rate: constant;",
        "step:3:0.1, multiplied by 0.1 every 3 epochs (step is short for it);",
        "or cosine:0.01, along half a cosine down to 0.01 of it at the end of all "
            + "epochs (cosine alone: down to 0).",
        "Default: constant"
      })
  private String schedule = "constant";

  @Option(
      names = "--warm-up",
      paramLabel = "EPOCHS",
      description = {
        "Number of epochs, such as 0.5, in which the learning rate first rises "
            + "linearly; the schedule follows.",
        "Default: 0"
      })
  private double warmUp;

  @Option(
      names = "--clip",
      paramLabel = "norm:LENGTH|value:LIMIT",
      description = {
        "Limit of gradients. norm:1 scales a mean gradient whose Euclidean norm over "
            + "all parameters exceeds 1 down to norm 1; not with ako, all-to-all and ps, "
            + "which send gradients in parts. value:0.5 limits each element to -0.5 to 0.5.",
        "Default: no limit"
      })
  private String clip;

  @Option(
      names = "--weight-decay",
      paramLabel = "SHARE",
      description = {
        "Weight decay: fraction of each weight that a step subtracts, scaled by the "
            + "learning rate; biases do not decay. 0 turns off a model file's own decay.",
        "Default: the model file's own; 0.01 for adamw; else none"
      })
  private Double weightDecay;

  @Option(
      names = "--patience",
      paramLabel = "N",
      description = {
        "Stop after this number of epochs without a better test accuracy, or with "
            + "--regression without a lower test loss. best.zip is the model of the best "
            + "epoch.",
        "Default: train all epochs"
      })
  private Integer patience;

  @Option(
      names = "--validation",
      paramLabel = "SHARE",
      description = {
        "Share of the training samples to hold out of training, for best.zip, "
            + "--patience and the targets. The test set is then used only for the final and "
            + "the best model.",
        "Default: 0.1 for a table with 1,000 training rows or more; else 0, and the "
            + "test set is used instead"
      })
  private Double validation;

  @Option(
      names = "--target-loss",
      paramLabel = "LOSS",
      description = {
        "With --regression: stop after the epoch that reaches this test loss. If no "
            + "epoch does, the exit code is 3.",
        "Default: train all epochs"
      })
  private Double targetLoss;

  @Option(
      names = "--class-weights",
      paramLabel = "NAME|WEIGHTS",
      description = {
        "Factor of each sample's loss and gradient, by its class. balanced: samples / "
            + "(classes x samples of the class). Or weights by label, 1 for the others, such "
            + "as spam=5,ham=0.5; or none.",
        "Default: the model file's own; else none"
      })
  private String classWeights;

  @Option(
      names = "--true-model",
      paramLabel = "FILE",
      description = {
        "Parameters that a regression should reach, to compute the normalized error "
            + "rate of each epoch in the history. Either a saved model (zip), or numbers as "
            + "text: for each feature in order one number per output, then the biases, which "
            + "can be left out if they are 0.",
        "Default: only the relative error rate, for models of one layer"
      })
  private String trueModel;

  /**
   * Returns the validated options.
   *
   * @param usualDecay weight decay if the option is not given
   * @param usualValidation share to hold out if the option is not given
   * @throws UsageException if an option is impossible
   */
  LearningOptions options(OptionalDouble usualDecay, OptionalDouble usualValidation) {
    if (!(warmUp >= 0 && warmUp <= MOST_EPOCHS)) {
      throw new UsageException("--warm-up " + Typed.number(warmUp) + ": must be 0 epochs or more");
    }
    if (patience != null && patience < 1) {
      throw new UsageException("--patience " + patience + ": must be 1 or more");
    }
    if (validation != null && !(validation >= 0 && validation < 1)) {
      throw new UsageException(
          "--validation "
              + Typed.number(validation)
              + ": must be a share of 0 or more, and less than 1");
    }
    return new LearningOptions(
        new LearningOptions.Schedule(schedule(), warmUp),
        new LearningOptions.Clip(limit("norm"), limit("value")),
        weightDecay == null ? usualDecay : OptionalDouble.of(checkedDecay()),
        patience == null ? OptionalInt.empty() : OptionalInt.of(patience),
        targetLoss(),
        Optional.ofNullable(classWeights),
        validation == null ? usualValidation : OptionalDouble.of(validation),
        Optional.ofNullable(trueModel));
  }

  private OptionalDouble targetLoss() {
    if (targetLoss != null && !Double.isFinite(targetLoss)) {
      throw new UsageException(
          "--target-loss " + Typed.number(targetLoss) + ": must be a finite number");
    }
    return targetLoss == null ? OptionalDouble.empty() : OptionalDouble.of(targetLoss);
  }

  private double checkedDecay() {
    if (!(weightDecay >= 0 && weightDecay < 1)) {
      throw new UsageException(
          "--weight-decay " + Typed.number(weightDecay) + ": must be 0 or more, and less than 1");
    }
    return weightDecay;
  }

  private OptionalDouble limit(String kind) {
    if (clip == null) {
      return OptionalDouble.empty();
    }
    Matcher typed = CLIP.matcher(clip);
    if (!typed.matches()) {
      throw clipMistake();
    }
    if (!typed.group(1).equals(kind)) {
      return OptionalDouble.empty();
    }
    double limit;
    try {
      limit = Double.parseDouble(typed.group(2));
    } catch (NumberFormatException e) {
      throw clipMistake();
    }
    if (!(limit > 0) || Double.isInfinite(limit)) {
      throw clipMistake();
    }
    return OptionalDouble.of(limit);
  }

  private UsageException clipMistake() {
    return new UsageException(
        "--clip " + clip + ": must be norm or value, and a finite number above 0, such as norm:1");
  }

  private EpochSchedule.Shape schedule() {
    String[] words = schedule.split(":", -1);
    return switch (words[0]) {
      case "constant" -> of(words, 0, new EpochSchedule.Constant());
      case "step" -> {
        double epochs = number(words, 1, USUAL_STEP);
        double factor = number(words, 2, USUAL_FACTOR);
        require(epochs > 0 && epochs <= MOST_EPOCHS && factor > 0 && factor <= 1);
        yield of(words, 2, new EpochSchedule.Step(epochs, factor));
      }
      case "cosine" -> {
        double end = number(words, 1, 0);
        require(end >= 0 && end <= 1);
        yield of(words, 1, new EpochSchedule.Cosine(end));
      }
      default -> throw mistake();
    };
  }

  private EpochSchedule.Shape of(String[] words, int parameters, EpochSchedule.Shape known) {
    require(words.length <= 1 + parameters);
    return known;
  }

  private double number(String[] words, int index, double usual) {
    if (index >= words.length) {
      return usual;
    }
    try {
      return Double.parseDouble(words[index]);
    } catch (NumberFormatException e) {
      throw mistake();
    }
  }

  private void require(boolean met) {
    if (!met) {
      throw mistake();
    }
  }

  private UsageException mistake() {
    return new UsageException(SCHEDULE + " " + schedule + ": must be " + SCHEDULES);
  }
}
