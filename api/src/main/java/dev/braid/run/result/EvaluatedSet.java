package dev.braid.run.result;

import java.util.Locale;
import java.util.function.Predicate;

/** Samples that a model is evaluated on, after each epoch or in each window of a stream. */
public enum EvaluatedSet {
  /** The test set. */
  TEST,

  /** Samples of a data set that are held out of training. */
  VALIDATION,

  /** Records of a stream that are held out of training. */
  HOLDOUT,

  /** All records of a stream, each before it is trained on: progressive validation. */
  PROGRESSIVE;

  /** Option with the held-out share of a data set or a stream. */
  public static final String VALIDATION_OPTION = "validation";

  /** Option with the number of rounds in a window, which only a stream has. */
  public static final String WINDOW_OPTION = "window";

  /**
   * Returns the set that a training is evaluated on.
   *
   * @param isStream whether its samples come from a stream
   * @param holdsOut whether some of them are held out of training
   */
  public static EvaluatedSet of(boolean isStream, boolean holdsOut) {
    if (isStream) {
      return holdsOut ? HOLDOUT : PROGRESSIVE;
    }
    return holdsOut ? VALIDATION : TEST;
  }

  /**
   * Returns the set that a recorded run was evaluated on.
   *
   * @param hasOption whether the run has an option of this name
   */
  static EvaluatedSet of(Predicate<String> hasOption) {
    return of(hasOption.test(WINDOW_OPTION), hasOption.test(VALIDATION_OPTION));
  }

  /** Returns whether the samples are of a stream, which has windows instead of epochs. */
  public boolean isOfStream() {
    return this == HOLDOUT || this == PROGRESSIVE;
  }

  /**
   * Returns the unit that figures belong to: {@code epoch} of a data set, {@code window} of a
   * stream.
   */
  public String unit() {
    return isOfStream() ? "window" : "epoch";
  }

  /** Returns whether the samples are never trained on and are not the test set. */
  public boolean isHeldOut() {
    return this == VALIDATION || this == HOLDOUT;
  }

  /** Returns the word that names the set in front of a figure. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
