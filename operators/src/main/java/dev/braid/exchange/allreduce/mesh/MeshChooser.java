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
 * Takes the algorithm, and the {@linkplain Way way} of it, that is predicted to take the least time
 * for a mesh, its holes and a vector, by a {@linkplain MeshRehearsal rehearsal} of each, or of very
 * many ranks an {@linkplain MeshEstimate estimate}: by what links are said to be like, and not by
 * what a run measures, which would make sums, that each algorithm adds up in another order, differ
 * from run to run. So all ranks choose alike, in every run and after every restart.
 *
 * @param links what each link of the mesh is like
 */
public record MeshChooser(MeshTraffic.Links links) {

  /** With more messages a plan takes too long to be rehearsed, as each rank does it. */
  private static final long MOST_MESSAGES = 1 << 13;

  /** Elements of a rank's shard: so many that shards of unequal lengths are nearly equal. */
  private static final int ELEMENTS_PER_RANK = 16;

  private static final int MOST_ELEMENTS = 1 << 12;

  private static final MeshPlan NOTHING = new MeshPlan(List.of());

  /** The way for the ranks that are left of a mesh, over a vector of a length. */
  public Way choose(HoledMesh mesh, int length) {
    return choose(mesh, length, way -> true);
  }

  /** The same by one algorithm, which may be none for the mesh. */
  public Way choose(HoledMesh mesh, int length, MeshAlgorithm algorithm) {
    return choose(mesh, length, Way.of(algorithm));
  }

  /** The same of a kind, which one ring as in the paper is of. */
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
    // All are rehearsed, or all estimated, as an estimate is off a little. One ring of so many
    // ranks that it is not rehearsed sends no less than other ways, over many more hops.
    Way oneRing = Way.plain(MeshAlgorithm.ONE_RING);
    boolean mayRehearse =
        plans.entrySet().stream()
            .allMatch(one -> one.getKey().equals(oneRing) || isShort(one.getValue()));
    if (plans.size() > 1 && !(mayRehearse && isShort(plans.getOrDefault(oneRing, NOTHING)))) {
      plans.remove(oneRing);
    }
    // Of ways that are the same on a mesh it is the first.
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
   * What an allreduce is predicted to take, in nanoseconds.
   *
   * @param mayRehearse whether it is rehearsed where that does not take too long, or estimated
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

  /** Over a shorter vector, whose elements stand for many each. */
  static MeshPlan plan(HoledMesh mesh, int length, Way way) {
    return MeshPlanner.plan(mesh, shorter(mesh, length), way);
  }

  private static int shorter(HoledMesh mesh, int length) {
    int enough = Math.max(mesh.size(), Math.min(MOST_ELEMENTS, ELEMENTS_PER_RANK * mesh.size()));
    return Math.min(length, enough);
  }

  /** Whether a rehearsal does not take too long. */
  static boolean isShort(MeshPlan plan) {
    return plan.messages() <= MOST_MESSAGES;
  }
}
