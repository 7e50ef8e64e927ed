package dev.braid.topology;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A mesh in which some ranks have failed: what is left, and the routes around the holes (Kumar and
 * Jouppi 2020, §2, Figure 2).
 *
 * @param mesh with all of its ranks
 * @param failed those that are not there; at least one rank is left
 */
public record HoledMesh(Mesh mesh, Set<Integer> failed) {

  private static final int UNREACHED = -1;

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

  /** Whether a rank that is left has a way to another, over such ranks only. */
  public boolean reaches(int from, int to) {
    return hopsTo(to)[from] != UNREACHED;
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
    boolean[] isPlaced = new boolean[mesh.ranks()];
    for (int rank : live()) {
      if (!isPlaced[rank]) {
        int[] hops = hopsTo(rank);
        int[] part =
            IntStream.range(0, hops.length).filter(other -> hops[other] != UNREACHED).toArray();
        Arrays.stream(part).forEach(member -> isPlaced[member] = true);
        parts.add(part);
      }
    }
    return parts;
  }

  /**
   * The ranks from one to another, both ends included, none of them twice: in dimension order where
   * nothing failed on that way; else in the reverse order, such as along the column first; where
   * something failed there as well, by the fewest links.
   *
   * @throws IllegalArgumentException if there is no way
   */
  public int[] route(int from, int to) {
    int[] inOrder = mesh.route(from, to);
    if (Arrays.stream(inOrder).allMatch(this::isLive)) {
      return inOrder;
    }
    int[] inReverse = reversed(mesh.route(to, from));
    return Arrays.stream(inReverse).allMatch(this::isLive) ? inReverse : around(from, to);
  }

  private static int[] reversed(int[] route) {
    return IntStream.range(0, route.length).map(i -> route[route.length - 1 - i]).toArray();
  }

  private int[] around(int from, int to) {
    int[] hops = hopsTo(to);
    if (hops[from] == UNREACHED) {
      throw new IllegalArgumentException(
          "no way from rank %d to %d in a mesh of %s without %s".formatted(from, to, mesh, failed));
    }
    int[] route = new int[hops[from] + 1];
    route[0] = from;
    for (int i = 1; i < route.length; i++) {
      route[i] = nearer(route[i - 1], hops);
    }
    return route;
  }

  private int nearer(int rank, int[] hops) {
    int[] nearer =
        Arrays.stream(neighbours(rank)).filter(next -> hops[next] == hops[rank] - 1).toArray();
    return Arrays.stream(nearer)
        .filter(next -> mesh.row(next) == mesh.row(rank))
        .findFirst()
        .orElse(nearer[0]);
  }

  /** By rank: over how many links it reaches one; or {@link #UNREACHED}. */
  private int[] hopsTo(int target) {
    int[] hops = new int[mesh.ranks()];
    Arrays.fill(hops, UNREACHED);
    if (!isLive(target)) {
      return hops;
    }
    Deque<Integer> open = new ArrayDeque<>();
    hops[target] = 0;
    open.add(target);
    while (!open.isEmpty()) {
      int rank = open.remove();
      for (int next : neighbours(rank)) {
        if (hops[next] == UNREACHED) {
          hops[next] = hops[rank] + 1;
          open.add(next);
        }
      }
    }
    return hops;
  }
}
