package dev.braid.exchange.allreduce.mesh;

import dev.braid.cost.MeshTraffic;
import dev.braid.topology.HoledMesh;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/**
 * Takes the algorithm that is predicted to take the least time for a mesh, its holes and a vector,
 * by a {@linkplain MeshRehearsal rehearsal} of each: by what links are said to be like, and not by
 * what a run measures, which would make sums, that each algorithm adds up in another order, differ
 * from run to run. So all ranks choose alike, in every run and after every restart.
 *
 * @param links what each link of the mesh is like
 */
public record MeshChooser(MeshTraffic.Links links) {

  /** With more messages a plan takes too long to be rehearsed: of such, that with the fewest. */
  private static final long MOST_MESSAGES = 1 << 18;

  private static final long TOO_LONG_NANOS = Long.MAX_VALUE / 2;

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
    MeshAlgorithm best = candidates.get(0);
    long least = Long.MAX_VALUE;
    // Of two that are the same on a mesh it is the first.
    for (MeshAlgorithm algorithm : candidates) {
      long nanos = nanos(mesh, length, algorithm);
      if (nanos < least) {
        best = algorithm;
        least = nanos;
      }
    }
    return best;
  }

  /** What an allreduce is predicted to take, in nanoseconds; of what is not rehearsed, more. */
  long nanos(HoledMesh mesh, int length, MeshAlgorithm algorithm) {
    int enough = Math.max(mesh.size(), Math.min(MOST_ELEMENTS, ELEMENTS_PER_RANK * mesh.size()));
    int shorter = Math.min(length, enough);
    MeshPlan plan = MeshPlanner.plan(mesh, shorter, algorithm);
    return plan.messages() > MOST_MESSAGES
        ? TOO_LONG_NANOS + plan.messages()
        : MeshRehearsal.nanos(mesh, plan, shorter, (double) length * Float.BYTES, links);
  }
}
