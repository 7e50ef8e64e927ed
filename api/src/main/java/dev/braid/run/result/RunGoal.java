package dev.braid.run.result;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * What a run is judged by when it is over. The goal is among the job's options in Flink, so that a
 * command that asks for the result judges it like the command that started the run.
 *
 * @param targetAccuracy accuracy to reach, from 0 to 1, if one was asked for
 * @param targetLoss loss to reach, if one was asked for
 * @param patience patience as in the options
 * @param epochs maximum number of epochs
 * @param required conditions whose violation fails the run; otherwise it only adds a line
 * @param guessingLoss mean loss of a model that gives all classes the same probability; NaN if the
 *     model's loss is not of probabilities
 * @param mayStandardize whether a regression's numbers are used as they are, and could be
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
   * Conditions whose violation fails a run.
   *
   * @param everySample no worker missed samples while it was excluded
   * @param sameBits all workers' math kernels give the same bits, which are also those of the
   *     kernels that the checkpoint was made with
   */
  public record Required(boolean everySample, boolean sameBits) {

    /** No condition beyond those of every run. */
    public static final Required NOTHING = new Required(false, false);
  }

  /** Returns the parts of the goal that are not among the options in a run's history. */
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
   * Reads the goal from all options of a run; empty if they are of something else.
   *
   * @throws IllegalArgumentException if an option that should be a number is not one
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
