package dev.braid.coding;

/**
 * Solver of systems of linear equations. It uses Householder reflections with column pivoting,
 * which do not amplify rounding errors; the codes leave little room for such errors.
 */
final class Equations {

  private Equations() {}

  /**
   * Solves {@code A x = b}; with more equations than unknowns, in the sense of least squares.
   *
   * @param rows A, {@code double[equations][unknowns]}; overwritten
   * @param right b, {@code double[equations]}; overwritten
   * @return x, {@code double[unknowns]}
   * @throws IllegalArgumentException if the equations do not determine all unknowns
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

  /** Applies a reflection that sets the elements below the diagonal in column k to 0. */
  private static void reflect(double[][] rows, double[] right, int k) {
    double length = Math.sqrt(squares(rows, k, k));
    if (length == 0) {
      throw new IllegalArgumentException("the equations do not determine unknown " + k);
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
