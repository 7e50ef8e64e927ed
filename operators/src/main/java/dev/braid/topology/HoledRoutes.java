package dev.braid.topology;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The routes of a mesh with holes (Kumar and Jouppi 2020, §2, Figure 2). Whoever needs many keeps
 * it, as each is found once. It belongs to one thread.
 */
public final class HoledRoutes {

  private static final int UNREACHED = -1;

  private final HoledMesh mesh;
  private final int[][] neighbours;

  /** By both ends, from and to: as a number of all pairs. */
  private final Map<Long, Optional<int[]>> known = new HashMap<>();

  /** By target: over how many links each rank reaches it. */
  private final Map<Integer, int[]> hops = new HashMap<>();

  HoledRoutes(HoledMesh mesh) {
    this.mesh = mesh;
    this.neighbours = new int[mesh.mesh().ranks()][];
  }

  /** Whether a rank that is left has a way to another, over such ranks only. */
  public boolean reaches(int from, int to) {
    return hopsTo(to)[from] != UNREACHED;
  }

  /**
   * The ranks from one to another, both ends included, none of them twice: in dimension order where
   * nothing failed on that way; else in the reverse order, such as along the column first; where
   * something failed there as well, by the fewest links; none if there is no way. Not to be written
   * into.
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

  /** The first neighbour that is nearer, if there is one in the same row the first of these. */
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

  /** By rank: over how many links it reaches one; or {@link #UNREACHED}. */
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
