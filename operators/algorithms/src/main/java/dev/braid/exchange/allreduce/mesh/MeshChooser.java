package dev.braid.exchange.allreduce.mesh;

import dev.braid.cost.MeshTraffic;
import dev.braid.exchange.allreduce.mesh.MeshPlanner.Variant;
import dev.braid.topology.HoledMesh;
import dev.braid.topology.HoledRoutes;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Chooser of the algorithm and its {@linkplain Variant variant} with the shortest predicted time
 * for a mesh, its holes and a vector, according to a {@linkplain MeshEstimate formula}.
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

  /** Returns the best variant for the remaining ranks of a mesh and a vector of a length. */
  public Variant choose(HoledMesh mesh, int length) {
    return choose(mesh, length, variant -> true);
  }

  /** Returns the best variant of one algorithm, even if the algorithm does not support the mesh. */
  public Variant choose(HoledMesh mesh, int length, MeshAlgorithm algorithm) {
    return choose(mesh, length, Variant.of(algorithm));
  }

  /** Returns the best variant that a predicate accepts; it must accept the plain single ring. */
  Variant choose(HoledMesh mesh, int length, Predicate<Variant> kind) {
    return choose(
        mesh,
        length,
        Arrays.stream(MeshAlgorithm.values())
            .filter(algorithm -> algorithm.isFor(mesh.mesh()))
            .flatMap(algorithm -> Variant.of(algorithm).stream())
            .filter(kind)
            .toList());
  }

  private Variant choose(HoledMesh mesh, int length, List<Variant> variants) {
    // Of variants with equal plans, the first is chosen.
    Map<MeshPlan, Variant> plans = new LinkedHashMap<>();
    variants.forEach(variant -> plans.putIfAbsent(plan(mesh, length, variant), variant));
    Variant best = variants.get(0);
    if (plans.size() == 1) {
      return best;
    }
    HoledRoutes routes = mesh.routes();
    int ranks = mesh.mesh().ranks();
    int shorter = shorter(mesh, length);
    double bytes = (double) length * Float.BYTES;
    long least = Long.MAX_VALUE;
    for (Map.Entry<MeshPlan, Variant> one : plans.entrySet()) {
      long nanos = MeshEstimate.nanos(one.getKey(), ranks, routes, links, shorter, bytes);
      best = nanos < least ? one.getValue() : best;
      least = Math.min(nanos, least);
    }
    return best;
  }

  /** Returns a plan over a shorter vector, each element of which represents many. */
  static MeshPlan plan(HoledMesh mesh, int length, Variant variant) {
    return MeshPlanner.plan(mesh, shorter(mesh, length), variant);
  }

  /** Returns the number of elements of the shorter vector. */
  static int shorter(HoledMesh mesh, int length) {
    int enough = Math.max(mesh.size(), Math.min(MOST_ELEMENTS, ELEMENTS_PER_RANK * mesh.size()));
    return Math.min(length, enough);
  }
}
