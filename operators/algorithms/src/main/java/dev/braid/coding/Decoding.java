package dev.braid.coding;

/**
 * The weighted sum that a parent computes from those of its children that have answered. It adds
 * the answers, each multiplied by its coefficient, in this order, which does not depend on arrival.
 *
 * @param children the children whose answers are used, by their index at the parent
 * @param coefficients the coefficient of each answer, {@code double[children.length]}
 */
public record Decoding(int[] children, double[] coefficients) {

  public Decoding {
    if (children.length != coefficients.length) {
      throw new IllegalArgumentException(
          children.length
              + " children and "
              + coefficients.length
              + " coefficients: must be equally many");
    }
  }

  /** Returns the number of answers that are added. */
  public int size() {
    return children.length;
  }

  /** Returns whether all coefficients are 1. */
  public boolean isPlain() {
    for (double coefficient : coefficients) {
      if (coefficient != 1) {
        return false;
      }
    }
    return true;
  }
}
