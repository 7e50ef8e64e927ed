package dev.braid.exchange.allreduce.mesh;

import dev.braid.topology.Mesh;

/** How the ranks of a mesh add up their gradients (Kumar and Jouppi 2020, §2 and §4). */
public enum MeshAlgorithm {
  /** One ring of all ranks along a Hamiltonian circuit (Figures 3 and 8). */
  ONE_RING("1d"),
  /** Rings of rows, then of columns (Figures 4 and 5). */
  ROWS_THEN_COLUMNS("2d"),
  /** The same for one half of the vector, and columns before rows for the other half. */
  TWO_COLOURS("2d-two-colour"),
  /** Rings of two rows each, then of the ranks at one place of these (Figures 6, 7, 9 and 10). */
  ROW_PAIRS("row-pairs"),
  /** Rings along one dimension after the other, the last first: 2d in any number of dimensions. */
  DIMENSIONS("nd"),
  /** The same for as many parts of the vector as dimensions, each beginning with another. */
  COLOURS("nd-colours");

  private final String title;

  MeshAlgorithm(String title) {
    this.title = title;
  }

  /** As it is typed. */
  public String title() {
    return title;
  }

  /** Whether it does parts of the vector in different ways beside each other. */
  public boolean hasColours() {
    return this == TWO_COLOURS || this == COLOURS;
  }

  /** Whether it is one for a mesh: those of rows and columns are for two dimensions. */
  public boolean isFor(Mesh mesh) {
    return switch (this) {
      case ONE_RING, DIMENSIONS, COLOURS -> true;
      case ROWS_THEN_COLUMNS, TWO_COLOURS -> mesh.dimensions() == 2;
      case ROW_PAIRS -> mesh.dimensions() == 2 && mesh.rows() > 1;
    };
  }
}
