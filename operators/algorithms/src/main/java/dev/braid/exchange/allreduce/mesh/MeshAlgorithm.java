package dev.braid.exchange.allreduce.mesh;

import dev.braid.topology.Mesh;

/** Algorithms by which the ranks of a mesh sum gradients (Kumar and Jouppi 2020, §2 and §4). */
public enum MeshAlgorithm {
  /** One ring of all ranks along a Hamiltonian circuit (Figures 3 and 8). */
  ONE_RING("1d"),
  /** Rings of rows, then of columns (Figures 4 and 5). */
  ROWS_THEN_COLUMNS("2d"),
  /** Rows before columns for one half of the vector, columns before rows for the other half. */
  TWO_COLOURS("2d-two-colour"),
  /** Rings of two rows each, then of the ranks at equal positions (Figures 6, 7, 9 and 10). */
  ROW_PAIRS("row-pairs"),
  /** Rings along one dimension after the other, the last first; generalises 2d. */
  DIMENSIONS("nd"),
  /** Like nd, with one part of the vector per dimension, each beginning with another dimension. */
  COLOURS("nd-colours");

  private final String title;

  MeshAlgorithm(String title) {
    this.title = title;
  }

  /** Returns the name on the command line. */
  public String title() {
    return title;
  }

  /** Returns whether it reduces parts of the vector concurrently in different ways. */
  public boolean hasColours() {
    return this == TWO_COLOURS || this == COLOURS;
  }

  /** Returns whether it supports a mesh; algorithms of rows and columns need two dimensions. */
  public boolean isFor(Mesh mesh) {
    return switch (this) {
      case ONE_RING, DIMENSIONS, COLOURS -> true;
      case ROWS_THEN_COLUMNS, TWO_COLOURS -> mesh.dimensions() == 2;
      case ROW_PAIRS -> mesh.dimensions() == 2 && mesh.rows() > 1;
    };
  }
}
