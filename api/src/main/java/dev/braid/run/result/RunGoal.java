package dev.braid.run.result;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * What a run is judged by when it is over. It is with the job's options in Flink, so that whoever
 * asks for the run's result judges as who began it.
 *
 * @param targetAccuracy from 0 to 1, if one was asked for
 * @param targetLoss if one was asked for
 * @param patience as in the options
 * @param epochs at most
 * @param required what makes a run fail that else only has a line for it
 * @param guessingLoss the mean loss of a model that gives all classes the same probability; NaN
 *     where the model's loss is none of probabilities
 * @param mayStandardize whether a regression's numbers are taken as they are, and could be
 *     standardized
 */
public record RunGoal(
    OptionalDouble targetAccuracy,
    OptionalDouble targetLoss,
    OptionalInt patience,
    int epochs,
    Required required,
    double guessingLoss,
    boolean mayStandardize) {

  private static final String EVERY_SAMPLE = "require-every-sample";
  private static final String SAME_BITS = "require-same-bits";
  private static final String GUESSING_LOSS = "loss-of-guessing";
  private static final String MAY_STANDARDIZE = "may-standardize";

  /**
   * What makes a run fail.
   *
   * @param everySample samples that a worker missed while it was cut off
   * @param sameBits math kernels of workers that give other bits than each other's, or than those
   *     that the checkpoint was made with
   */
  public record Required(boolean everySample, boolean sameBits) {

    /** Nothing but what makes every run fail. */
    public static final Required NOTHING = new Required(false, false);
  }

  /** What of it is not among the options that a run's history has. */
  public Map<String, String> besidesOptions() {
    return Map.of(
        EVERY_SAMPLE,
        Boolean.toString(required.everySample()),
        SAME_BITS,
        Boolean.toString(required.sameBits()),
        GUESSING_LOSS,
        Double.toString(guessingLoss),
        MAY_STANDARDIZE,
        Boolean.toString(mayStandardize));
  }

  /**
   * Reads it from all options of a run; none where they are those of something else.
   *
   * @throws IllegalArgumentException if one that should be a number is none
   */
  public static Optional<RunGoal> of(Map<String, String> options) {
    if (!options.containsKey("epochs") || !options.containsKey(GUESSING_LOSS)) {
      return Optional.empty();
    }
    return Optional.of(
        new RunGoal(
            number(options, "target-accuracy"),
            number(options, "target-loss"),
            options.containsKey("patience")
                ? OptionalInt.of(Integer.parseInt(options.get("patience")))
                : OptionalInt.empty(),
            Integer.parseInt(options.get("epochs")),
            new Required(
                Boolean.parseBoolean(options.get(EVERY_SAMPLE)),
                Boolean.parseBoolean(options.get(SAME_BITS))),
            Double.parseDouble(options.get(GUESSING_LOSS)),
            Boolean.parseBoolean(options.get(MAY_STANDARDIZE))));
  }

  private static OptionalDouble number(Map<String, String> options, String name) {
    return options.containsKey(name)
        ? OptionalDouble.of(Double.parseDouble(options.get(name)))
        : OptionalDouble.empty();
  }
}
