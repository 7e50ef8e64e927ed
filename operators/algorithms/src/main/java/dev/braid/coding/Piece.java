package dev.braid.coding;

/**
 * Consecutive samples of a round, with a common coefficient for their gradients.
 *
 * @param start the first sample, from 0
 * @param end the end, exclusive
 * @param coefficient the coefficient of each sample's gradient
 */
public record Piece(int start, int end, double coefficient) {

  public Piece {
    if (start < 0 || end <= start) {
      throw new IllegalArgumentException(
          "samples " + start + " to " + end + " (exclusive): must be 0 <= start < end");
    }
  }

  /** Returns the number of samples. */
  public int size() {
    return end - start;
  }
}
