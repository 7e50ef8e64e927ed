package dev.braid.run.scoring;

/**
 * Result of scoring a record with a version of a model.
 *
 * @param version name of the version, such as {@code v17}
 * @param scores a number for each class, or the values in the units of the data; of length 0 if the
 *     record could not be scored
 * @param label name of the class with the largest score; empty for values and errors
 * @param error why the record could not be scored; empty if it was
 */
public record RecordScore(String version, float[] scores, String label, String error) {

  private static final float[] NONE = {};

  static RecordScore error(String version, String reason) {
    return new RecordScore(version, NONE, "", reason);
  }

  /** Returns whether the record could be scored. */
  public boolean isScored() {
    return error.isEmpty();
  }
}
