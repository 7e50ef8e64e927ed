package dev.braid.coding;

/**
 * Systems of linear equations, by Householder's reflections with the largest column first: they
 * make rounding no larger than it is, which codes have little room for.
 */
final class Equations {

  private Equations() {}

  /**
   * Solves {@code A x = b} where there is a solution: of more equations than unknowns, that with
   * the least squares of what is off.
   *
   * @param rows A, by equations; overwritten
   * @param right b; overwritten
   */
  static double[] solve(double[][] rows, double[] right) {
    int unknowns = rows[0].length;
    int[] order = new int[unknowns];
    for (int i = 0; i < unknowns; i++) {
      order[i] = i;
    }
    for (int k = 0; k < unknowns; k++) {
      swap(rows, order, k, largestColumn(rows, k));
      reflect(rows, right, k);
    }
    double[] solution = new double[unknowns];
    for (int k = unknowns - 1; k >= 0; k--) {
      double rest = right[k];
      for (int j = k + 1; j < unknowns; j++) {
        rest -= rows[k][j] * solution[order[j]];
      }
      solution[order[k]] = rest / rows[k][k];
    }
    return solution;
  }

  private static int largestColumn(double[][] rows, int from) {
    int largest = from;
    double most = -1;
    for (int j = from; j < rows[0].length; j++) {
      double squares = squares(rows, from, j);
      if (squares > most) {
        most = squares;
        largest = j;
      }
    }
    return largest;
  }

  private static double squares(double[][] rows, int from, int column) {
    double sum = 0;
    for (int i = from; i < rows.length; i++) {
      sum += rows[i][column] * rows[i][column];
    }
    return sum;
  }

  private static void swap(double[][] rows, int[] order, int a, int b) {
    for (double[] row : rows) {
      double kept = row[a];
      row[a] = row[b];
      row[b] = kept;
    }
    int kept = order[a];
    order[a] = order[b];
    order[b] = kept;
  }

  /** Makes what is below the diagonal in column k 0. */
  private static void reflect(double[][] rows, double[] right, int k) {
    double length = Math.sqrt(squares(rows, k, k));
    if (length == 0) {
      throw new IllegalArgumentException("the equations leave unknown " + k + " open");
    }
    double diagonal = rows[k][k] > 0 ? -length : length;
    double[] normal = new double[rows.length];
    for (int i = k; i < rows.length; i++) {
      normal[i] = rows[i][k];
    }
    normal[k] -= diagonal;
    double scale = 0;
    for (int i = k; i < rows.length; i++) {
      scale += normal[i] * normal[i];
    }
    for (int j = k; j < rows[0].length; j++) {
      double along = 0;
      for (int i = k; i < rows.length; i++) {
        along += normal[i] * rows[i][j];
      }
      for (int i = k; i < rows.length; i++) {
        rows[i][j] -= 2 * along / scale * normal[i];
      }
    }
    double along = 0;
    for (int i = k; i < rows.length; i++) {
      along += normal[i] * right[i];
    }
    for (int i = k; i < rows.length; i++) {
      right[i] -= 2 * along / scale * normal[i];
    }
  }
}
