package dev.braid.topology;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Routes of a mesh with holes (Kumar and Jouppi 2020, §2, Figure 2). Each route is computed once
 * and kept, so callers that need many routes should keep this object. Not thread-safe.
 */
public final class HoledRoutes {

  private static final int UNREACHED = -1;

  private final HoledMesh mesh;
  private final int[][] neighbours;

  /** Known routes by both ends, encoded as {@code from · ranks + to}. */
  private final Map<Long, Optional<int[]>> known = new HashMap<>();

  /** By target: the number of links over which each rank reaches it. */
  private final Map<Integer, int[]> hops = new HashMap<>();

  HoledRoutes(HoledMesh mesh) {
    this.mesh = mesh;
    this.neighbours = new int[mesh.mesh().ranks()][];
  }

  /** Returns whether a rank that is left has a route to another, over such ranks only. */
  public boolean reaches(int from, int to) {
    return hopsTo(to)[from] != UNREACHED;
  }

  /**
   * Returns the ranks from one to another, both ends included and none of them twice. The route is
   * in dimension order if no rank on it failed. Otherwise it is in the reverse order, such as along
   * the column first. If a rank failed there as well, it has the fewest links. Empty if there is no
   * route. Callers must not change the array.
   */
  public Optional<int[]> route(int from, int to) {
    return known.computeIfAbsent((long) from * mesh.mesh().ranks() + to, pair -> find(from, to));
  }

  private Optional<int[]> find(int from, int to) {
    int[] inOrder = mesh.mesh().route(from, to);
    if (areLive(inOrder)) {
      return Optional.of(inOrder);
    }
    int[] inReverse = reversed(mesh.mesh().route(to, from));
    if (areLive(inReverse)) {
      return Optional.of(inReverse);
    }
    return reaches(from, to) ? Optional.of(around(from, to)) : Optional.empty();
  }

  private boolean areLive(int[] ranks) {
    for (int rank : ranks) {
      if (!mesh.isLive(rank)) {
        return false;
      }
    }
    return true;
  }

  private static int[] reversed(int[] route) {
    return IntStream.range(0, route.length).map(i -> route[route.length - 1 - i]).toArray();
  }

  private int[] around(int from, int to) {
    int[] hopsTo = hopsTo(to);
    int[] route = new int[hopsTo[from] + 1];
    route[0] = from;
    for (int i = 1; i < route.length; i++) {
      route[i] = nearer(route[i - 1], hopsTo);
    }
    return route;
  }

  /**
   * Returns the lowest neighbour that is nearer to the target; neighbours in the same row come
   * first.
   */
  private int nearer(int rank, int[] hopsTo) {
    int nearer = UNREACHED;
    for (int next : neighbours(rank)) {
      if (hopsTo[next] == hopsTo[rank] - 1) {
        if (mesh.mesh().row(next) == mesh.mesh().row(rank)) {
          return next;
        }
        nearer = nearer == UNREACHED ? next : nearer;
      }
    }
    return nearer;
  }

  /**
   * Returns by rank the number of links over which it reaches the target, or {@link #UNREACHED}.
   */
  private int[] hopsTo(int target) {
    return hops.computeIfAbsent(target, this::countHops);
  }

  private int[] countHops(int target) {
    int[] hopsTo = new int[mesh.mesh().ranks()];
    Arrays.fill(hopsTo, UNREACHED);
    if (!mesh.isLive(target)) {
      return hopsTo;
    }
    Deque<Integer> open = new ArrayDeque<>();
    hopsTo[target] = 0;
    open.add(target);
    while (!open.isEmpty()) {
      int rank = open.remove();
      for (int next : neighbours(rank)) {
        if (hopsTo[next] == UNREACHED) {
          hopsTo[next] = hopsTo[rank] + 1;
          open.add(next);
        }
      }
    }
    return hopsTo;
  }

  private int[] neighbours(int rank) {
    if (neighbours[rank] == null) {
      neighbours[rank] = mesh.neighbours(rank);
    }
    return neighbours[rank];
  }
}
