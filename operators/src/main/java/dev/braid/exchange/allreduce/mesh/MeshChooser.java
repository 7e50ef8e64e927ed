package dev.braid.exchange.allreduce.mesh;

import dev.braid.cost.MeshTraffic;
import dev.braid.exchange.allreduce.mesh.MeshPlanner.Way;
import dev.braid.topology.HoledMesh;
import dev.braid.topology.HoledRoutes;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Chooser of the algorithm and its {@linkplain Way variant} with the shortest predicted time for a
 * mesh, its holes and a vector, according to a {@linkplain MeshEstimate formula}.
 *
 * <p>The chooser uses the configured properties of links. Measurements would make sums differ from
 * run to run, because each algorithm has another order of summation. All ranks thus make the same
 * choice, in every run and after every restart.
 *
 * @param links assumed bandwidth and latency of each link of the mesh
 */
public record MeshChooser(MeshTraffic.Links links) {

  /** Number of elements per rank that is enough for nearly equal shards. */
  private static final int ELEMENTS_PER_RANK = 16;

  private static final int MOST_ELEMENTS = 1 << 12;

  /** Returns the best way for the remaining ranks of a mesh and a vector of a length. */
  public Way choose(HoledMesh mesh, int length) {
    return choose(mesh, length, way -> true);
  }

  /** Returns the best way of one algorithm, even if the algorithm does not support the mesh. */
  public Way choose(HoledMesh mesh, int length, MeshAlgorithm algorithm) {
    return choose(mesh, length, Way.of(algorithm));
  }

  /** Returns the best way that a predicate accepts; it must accept the plain single ring. */
  Way choose(HoledMesh mesh, int length, Predicate<Way> kind) {
    return choose(
        mesh,
        length,
        Arrays.stream(MeshAlgorithm.values())
            .filter(algorithm -> algorithm.isFor(mesh.mesh()))
            .flatMap(algorithm -> Way.of(algorithm).stream())
            .filter(kind)
            .toList());
  }

  private Way choose(HoledMesh mesh, int length, List<Way> ways) {
    HoledRoutes routes = mesh.routes();
    int ranks = mesh.mesh().ranks();
    int shorter = shorter(mesh, length);
    double bytes = (double) length * Float.BYTES;
    Set<MeshPlan> known = new HashSet<>();
    Way best = ways.get(0);
    long least = Long.MAX_VALUE;
    for (Way way : ways) {
      MeshPlan plan = plan(mesh, length, way);
      // Of ways with equal plans, the first is chosen.
      if (known.add(plan)) {
        long nanos = MeshEstimate.nanos(plan, ranks, routes, links, shorter, bytes);
        best = nanos < least ? way : best;
        least = Math.min(nanos, least);
      }
    }
    return best;
  }

  /** Returns a plan over a shorter vector, each element of which represents many. */
  static MeshPlan plan(HoledMesh mesh, int length, Way way) {
    return MeshPlanner.plan(mesh, shorter(mesh, length), way);
  }

  /** Returns the number of elements of the shorter vector. */
  static int shorter(HoledMesh mesh, int length) {
    int enough = Math.max(mesh.size(), Math.min(MOST_ELEMENTS, ELEMENTS_PER_RANK * mesh.size()));
    return Math.min(length, enough);
  }
}
