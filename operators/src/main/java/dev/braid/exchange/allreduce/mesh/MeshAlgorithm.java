package dev.braid.exchange.allreduce.mesh;

/** How the ranks of a mesh add up their gradients (Kumar and Jouppi 2020, §2). */
public enum MeshAlgorithm {
  /** One ring of all ranks along a Hamiltonian circuit (Figures 3 and 8). */
  ONE_RING("1d"),
  /** Rings of rows, then of columns (Figures 4 and 5). */
  ROWS_THEN_COLUMNS("2d"),
  /** The same for one half of the vector, and columns before rows for the other half. */
  TWO_COLOURS("2d-two-colour"),
  /** Rings of two rows each, then of the ranks at one place of these (Figures 6, 7, 9 and 10). */
  ROW_PAIRS("row-pairs");

  private final String title;

  MeshAlgorithm(String title) {
    this.title = title;
  }

  /** As it is typed. */
  public String title() {
    return title;
  }
}
