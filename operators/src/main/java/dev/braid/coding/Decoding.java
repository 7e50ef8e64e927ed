package dev.braid.coding;

/**
 * How a parent gets the sum from those of its children who have answered: it adds their answers,
 * each times its coefficient, in this order, which does not depend on who came first.
 *
 * @param children whose answers are taken, by their index at the parent
 * @param coefficients of each
 */
public record Decoding(int[] children, double[] coefficients) {

  public Decoding {
    if (children.length != coefficients.length) {
      throw new IllegalArgumentException(
          children.length + " children, and " + coefficients.length + " coefficients");
    }
  }

  /** How many answers are added up. */
  public int size() {
    return children.length;
  }

  /** Whether answers are added as they are. */
  public boolean isPlain() {
    for (double coefficient : coefficients) {
      if (coefficient != 1) {
        return false;
      }
    }
    return true;
  }
}
