package dev.braid.exchange.allreduce.mesh;

import dev.braid.cost.MeshTraffic;
import dev.braid.topology.HoledMesh;
import java.util.Arrays;
import java.util.List;
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
    List<MeshAlgorithm> candidates =
        Arrays.stream(MeshAlgorithm.values())
            .filter(algorithm -> algorithm.isFor(mesh.mesh()))
            .filter(kind)
            .toList();
    // All are rehearsed, or all estimated, as an estimate is off a little. One ring of so many
    // ranks that it is not rehearsed sends no less than other ways, over many more hops.
    List<MeshAlgorithm> others =
        candidates.stream().filter(algorithm -> algorithm != MeshAlgorithm.ONE_RING).toList();
    boolean mayRehearse =
        others.stream().allMatch(algorithm -> isShort(plan(mesh, length, algorithm)));
    boolean mayBeOneRing = mayRehearse && isShort(plan(mesh, length, MeshAlgorithm.ONE_RING));
    return least(mesh, length, mayBeOneRing ? candidates : others, mayRehearse);
  }

  private MeshAlgorithm least(
      HoledMesh mesh, int length, List<MeshAlgorithm> candidates, boolean mayRehearse) {
    MeshAlgorithm best = candidates.get(0);
    long least = Long.MAX_VALUE;
    // Of two that are the same on a mesh it is the first.
    for (MeshAlgorithm algorithm : candidates) {
      long nanos = nanos(mesh, length, algorithm, mayRehearse);
      if (nanos < least) {
        best = algorithm;
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
    int shorter = shorter(mesh, length);
    double bytes = (double) length * Float.BYTES;
    MeshPlan plan = plan(mesh, length, algorithm);
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
