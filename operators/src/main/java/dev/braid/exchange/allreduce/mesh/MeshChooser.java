package dev.braid.exchange.allreduce.mesh;

import dev.braid.cost.MeshTraffic;
import dev.braid.exchange.allreduce.mesh.MeshPlanner.Way;
import dev.braid.topology.HoledMesh;
import dev.braid.topology.HoledRoutes;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Chooser of the algorithm and its {@linkplain Way variant} with the shortest predicted time for a
 * mesh, its holes and a vector. The prediction is a {@linkplain MeshRehearsal rehearsal} of each
 * candidate or, for very many ranks, an {@linkplain MeshEstimate estimate}.
 *
 * <p>The chooser uses the configured properties of links. Measurements would make sums differ from
 * run to run, because each algorithm has another order of summation. All ranks thus make the same
 * choice, in every run and after every restart.
 *
 * @param links assumed bandwidth and latency of each link of the mesh
 */
public record MeshChooser(MeshTraffic.Links links) {

  /** Maximum number of messages of a rehearsed plan: every rank rehearses, so it must be quick. */
  private static final long MOST_MESSAGES = 1 << 13;

  /** Number of elements per rank that is enough for nearly equal shards. */
  private static final int ELEMENTS_PER_RANK = 16;

  private static final int MOST_ELEMENTS = 1 << 12;

  private static final MeshPlan NOTHING = new MeshPlan(List.of());

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
    Map<Way, MeshPlan> plans = new LinkedHashMap<>();
    ways.forEach(way -> plans.put(way, plan(mesh, length, way)));
    // Either all are rehearsed or all are estimated, because estimates are slightly inaccurate. A
    // single ring that is too long to rehearse sends no less than other ways, over many more hops.
    Way oneRing = Way.plain(MeshAlgorithm.ONE_RING);
    boolean mayRehearse =
        plans.entrySet().stream()
            .allMatch(one -> one.getKey().equals(oneRing) || isShort(one.getValue()));
    if (plans.size() > 1 && !(mayRehearse && isShort(plans.getOrDefault(oneRing, NOTHING)))) {
      plans.remove(oneRing);
    }
    // Of ways with equal plans, only the first is kept.
    Set<MeshPlan> known = new HashSet<>();
    plans.values().removeIf(plan -> !known.add(plan));
    HoledRoutes routes = mesh.routes();
    Way best = plans.keySet().iterator().next();
    long least = Long.MAX_VALUE;
    for (Map.Entry<Way, MeshPlan> one : plans.entrySet()) {
      long nanos = plans.size() == 1 ? 0 : nanos(mesh, routes, length, one.getValue(), mayRehearse);
      if (nanos < least) {
        best = one.getKey();
        least = nanos;
      }
    }
    return best;
  }

  /**
   * Returns the predicted time of an allreduce, in nanoseconds.
   *
   * @param mayRehearse whether a plan that is short enough is rehearsed; all others are estimated
   */
  long nanos(HoledMesh mesh, int length, Way way, boolean mayRehearse) {
    HoledRoutes routes = mesh.routes();
    return nanos(mesh, routes, length, plan(mesh, length, way), mayRehearse);
  }

  private long nanos(
      HoledMesh mesh, HoledRoutes routes, int length, MeshPlan plan, boolean mayRehearse) {
    int shorter = shorter(mesh, length);
    double bytes = (double) length * Float.BYTES;
    return mayRehearse && isShort(plan)
        ? MeshRehearsal.nanos(mesh, routes, plan, shorter, bytes, links)
        : MeshEstimate.nanos(routes, plan, shorter, bytes, links);
  }

  /** Returns a plan over a shorter vector, each element of which represents many. */
  static MeshPlan plan(HoledMesh mesh, int length, Way way) {
    return MeshPlanner.plan(mesh, shorter(mesh, length), way);
  }

  private static int shorter(HoledMesh mesh, int length) {
    int enough = Math.max(mesh.size(), Math.min(MOST_ELEMENTS, ELEMENTS_PER_RANK * mesh.size()));
    return Math.min(length, enough);
  }

  /** Returns whether a plan is short enough to be rehearsed. */
  static boolean isShort(MeshPlan plan) {
    return plan.messages() <= MOST_MESSAGES;
  }
}
