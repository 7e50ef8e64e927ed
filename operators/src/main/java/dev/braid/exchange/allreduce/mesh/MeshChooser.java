package dev.braid.exchange.allreduce.mesh;

import dev.braid.cost.MeshTraffic;
import dev.braid.topology.HoledMesh;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Takes the algorithm that is predicted to take the least time for a mesh, its holes and a vector,
 * by a {@linkplain MeshRehearsal rehearsal} of each, or of very many ranks an {@linkplain
 * MeshEstimate estimate}: by what links are said to be like, and not by what a run measures, which
 * would make sums, that each algorithm adds up in another order, differ from run to run. So all
 * ranks choose alike, in every run and after every restart.
 *
 * @param links what each link of the mesh is like
 */
public record MeshChooser(MeshTraffic.Links links) {

  /** With more messages a plan takes too long to be rehearsed, as each rank does it. */
  private static final long MOST_MESSAGES = 1 << 13;

  /** Elements of a rank's shard: so many that shards of unequal lengths are nearly equal. */
  private static final int ELEMENTS_PER_RANK = 16;

  private static final int MOST_ELEMENTS = 1 << 12;

  /** The algorithm for the ranks that are left of a mesh, over a vector of a length. */
  public MeshAlgorithm choose(HoledMesh mesh, int length) {
    return choose(mesh, length, algorithm -> true);
  }

  /** The same of those of a kind, which one ring is of. */
  MeshAlgorithm choose(HoledMesh mesh, int length, Predicate<MeshAlgorithm> kind) {
    Map<MeshAlgorithm, MeshPlan> plans = new EnumMap<>(MeshAlgorithm.class);
    for (MeshAlgorithm algorithm : MeshAlgorithm.values()) {
      if (algorithm.isFor(mesh.mesh()) && kind.test(algorithm)) {
        plans.put(algorithm, plan(mesh, length, algorithm));
      }
    }
    // All are rehearsed, or all estimated, as an estimate is off a little. One ring of so many
    // ranks that it is not rehearsed sends no less than other ways, over many more hops.
    boolean mayRehearse =
        plans.entrySet().stream()
            .allMatch(one -> one.getKey() == MeshAlgorithm.ONE_RING || isShort(one.getValue()));
    if (!mayRehearse || !isShort(plans.get(MeshAlgorithm.ONE_RING))) {
      plans.remove(MeshAlgorithm.ONE_RING);
    }
    MeshAlgorithm best = plans.keySet().iterator().next();
    long least = Long.MAX_VALUE;
    // Of two that are the same on a mesh it is the first.
    for (Map.Entry<MeshAlgorithm, MeshPlan> one : plans.entrySet()) {
      long nanos = nanos(mesh, length, one.getValue(), mayRehearse);
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
  long nanos(HoledMesh mesh, int length, MeshAlgorithm algorithm, boolean mayRehearse) {
    return nanos(mesh, length, plan(mesh, length, algorithm), mayRehearse);
  }

  private long nanos(HoledMesh mesh, int length, MeshPlan plan, boolean mayRehearse) {
    int shorter = shorter(mesh, length);
    double bytes = (double) length * Float.BYTES;
    return mayRehearse && isShort(plan)
        ? MeshRehearsal.nanos(mesh, plan, shorter, bytes, links)
        : MeshEstimate.nanos(mesh, plan, shorter, bytes, links);
  }

  /** Over a shorter vector, whose elements stand for many each. */
  private static MeshPlan plan(HoledMesh mesh, int length, MeshAlgorithm algorithm) {
    return MeshPlanner.plan(mesh, shorter(mesh, length), algorithm);
  }

  private static int shorter(HoledMesh mesh, int length) {
    int enough = Math.max(mesh.size(), Math.min(MOST_ELEMENTS, ELEMENTS_PER_RANK * mesh.size()));
    return Math.min(length, enough);
  }

  private static boolean isShort(MeshPlan plan) {
    return plan.messages() <= MOST_MESSAGES;
  }
}
