package dev.braid.topology;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A mesh in which some ranks have failed: what is left, and the {@linkplain HoledRoutes routes}
 * around the holes.
 *
 * @param mesh with all of its ranks
 * @param failed those that are not there; at least one rank is left
 */
public record HoledMesh(Mesh mesh, Set<Integer> failed) {

  public HoledMesh {
    failed = Set.copyOf(failed);
    for (int rank : failed) {
      if (rank < 0 || rank >= mesh.ranks()) {
        throw new IllegalArgumentException(
            "rank " + rank + " failed in a mesh of " + mesh + ": it has no such rank");
      }
    }
    if (failed.size() == mesh.ranks()) {
      throw new IllegalArgumentException("all ranks of a mesh of " + mesh + " failed");
    }
  }

  /** The ranks that are left, ascending. */
  public int[] live() {
    return IntStream.range(0, mesh.ranks()).filter(this::isLive).toArray();
  }

  /** How many ranks are left. */
  public int size() {
    return mesh.ranks() - failed.size();
  }

  public boolean isLive(int rank) {
    return !failed.contains(rank);
  }

  /** Whether there is a place of this row and column, with a rank that is left. */
  public boolean isLive(int row, int column) {
    return mesh.contains(row, column) && isLive(mesh.rank(row, column));
  }

  /**
   * The mesh of rows and columns that is in this one: which ranks make it, and the mesh itself,
   * whose rank i is the i-th of them.
   */
  record InRows(int[] ranks, HoledMesh mesh) {

    /** As ranks of the mesh that this one is in. */
    int[] inFull(int[] places) {
      return Arrays.stream(places).map(place -> ranks[place]).toArray();
    }
  }

  /** {@link Mesh#inRows()}, with the same holes. Of two dimensions it is the mesh as it is. */
  InRows inRows() {
    int[] ranks = mesh.inRows();
    Mesh rows = mesh.dimensions() == 2 ? mesh : new Mesh(mesh.rows(), mesh.columns());
    return new InRows(
        ranks,
        rows.without(IntStream.range(0, ranks.length).filter(i -> !isLive(ranks[i])).toArray()));
  }

  /** The ranks that are left and that a rank has a link to, ascending. */
  public int[] neighbours(int rank) {
    return Arrays.stream(mesh.neighbours(rank)).filter(this::isLive).toArray();
  }

  /** The routes between ranks that are left. */
  public HoledRoutes routes() {
    return new HoledRoutes(this);
  }

  /** Whether each rank that is left has a way to every other, over such ranks only. */
  public boolean isConnected() {
    return parts().size() == 1;
  }

  /**
   * What is left, in parts between which there is no way: each in ascending order, by their lowest
   * ranks.
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
