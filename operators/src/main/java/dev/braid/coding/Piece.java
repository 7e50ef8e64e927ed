package dev.braid.coding;

/**
 * Samples that follow each other in a round, with the coefficient that their gradients have.
 *
 * @param start the first
 * @param end behind the last
 * @param coefficient of each
 */
public record Piece(int start, int end, double coefficient) {

  public Piece {
    if (start < 0 || end <= start) {
      throw new IllegalArgumentException("samples from " + start + " to before " + end);
    }
  }

  /** How many samples there are. */
  public int size() {
    return end - start;
  }
}
