package dev.braid.topology;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A mesh in which some ranks have failed: the ranks that are left, and the {@linkplain HoledRoutes
 * routes} around the holes.
 *
 * @param mesh the mesh with all of its ranks
 * @param failed ranks that have failed; at least one rank is left
 */
public record HoledMesh(Mesh mesh, Set<Integer> failed) {

  public HoledMesh {
    failed = Set.copyOf(failed);
    for (int rank : failed) {
      if (rank < 0 || rank >= mesh.ranks()) {
        throw new IllegalArgumentException(
            "failed rank " + rank + ": must be a rank of the mesh of " + mesh);
      }
    }
    if (failed.size() == mesh.ranks()) {
      throw new IllegalArgumentException(
          "all ranks of the mesh of " + mesh + " failed: at least one must be left");
    }
  }

  /** Returns the ranks that are left, ascending. */
  public int[] live() {
    return IntStream.range(0, mesh.ranks()).filter(this::isLive).toArray();
  }

  /** Returns the number of ranks that are left. */
  public int size() {
    return mesh.ranks() - failed.size();
  }

  public boolean isLive(int rank) {
    return !failed.contains(rank);
  }

  /** Returns whether the row and the column exist and the rank there is left. */
  public boolean isLive(int row, int column) {
    return mesh.contains(row, column) && isLive(mesh.rank(row, column));
  }

  /**
   * A two-dimensional mesh that is embedded in this mesh.
   *
   * @param ranks the ranks of this mesh that form it
   * @param mesh the embedded mesh: its rank i is {@code ranks[i]}
   */
  record InRows(int[] ranks, HoledMesh mesh) {

    /** Translates ranks of the embedded mesh to ranks of the mesh around it. */
    int[] inFull(int[] places) {
      return Arrays.stream(places).map(place -> ranks[place]).toArray();
    }
  }

  /**
   * Returns {@link Mesh#inRows()} with the same holes. A two-dimensional mesh is returned as it is.
   */
  InRows inRows() {
    int[] ranks = mesh.inRows();
    Mesh rows = mesh.dimensions() == 2 ? mesh : new Mesh(mesh.rows(), mesh.columns());
    return new InRows(
        ranks,
        rows.without(IntStream.range(0, ranks.length).filter(i -> !isLive(ranks[i])).toArray()));
  }

  /** Returns those of a rank's neighbours that are left, ascending. */
  public int[] neighbours(int rank) {
    return Arrays.stream(mesh.neighbours(rank)).filter(this::isLive).toArray();
  }

  /** Returns the routes between ranks that are left. */
  public HoledRoutes routes() {
    return new HoledRoutes(this);
  }

  /** Returns whether each rank that is left has a route to every other, over such ranks only. */
  public boolean isConnected() {
    return parts().size() == 1;
  }

  /**
   * Returns the ranks that are left, in parts without a route between them. Each part is ascending,
   * and the parts are ordered by their lowest ranks.
   */
  public List<int[]> parts() {
    List<int[]> parts = new ArrayList<>();
    HoledRoutes routes = routes();
    boolean[] isPlaced = new boolean[mesh.ranks()];
    for (int rank : live()) {
      if (!isPlaced[rank]) {
        int[] part =
            IntStream.range(0, mesh.ranks()).filter(other -> routes.reaches(other, rank)).toArray();
        Arrays.stream(part).forEach(member -> isPlaced[member] = true);
        parts.add(part);
      }
    }
    return parts;
  }
}
