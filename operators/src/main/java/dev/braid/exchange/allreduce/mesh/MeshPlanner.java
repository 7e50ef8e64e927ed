package dev.braid.exchange.allreduce.mesh;

import dev.braid.exchange.allreduce.mesh.MeshPlan.Colour;
import dev.braid.exchange.allreduce.mesh.MeshStage.Forward;
import dev.braid.exchange.allreduce.mesh.MeshStage.Forwards;
import dev.braid.exchange.allreduce.mesh.MeshStage.MemberRing;
import dev.braid.exchange.allreduce.mesh.MeshStage.Rings;
import dev.braid.topology.HoledMesh;
import dev.braid.topology.MeshRings;
import dev.braid.vector.Range;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Makes the plan of an allreduce for a mesh with any set of holes. All algorithms have the same
 * stages, of which a mesh without holes needs two, or, with a single ring, one:
 *
 * <ol>
 *   <li>ranks that are {@linkplain LeftOver left over} forward all they have to neighbours;
 *   <li>the {@linkplain MeshRings first rings}, full ones and smaller ones;
 *   <li>each smaller ring forwards its sum to full ones: each shard to ranks that have these
 *       elements there, behind both rings, so that neither waits for the other;
 *   <li>rings of the ranks at one position of all full rings.
 * </ol>
 */
public final class MeshPlanner {

  private final HoledMesh mesh;

  private MeshPlanner(HoledMesh mesh) {
    this.mesh = mesh;
  }

  /** The plan for the ranks that are left of a mesh, over a vector of a length. */
  public static MeshPlan plan(HoledMesh mesh, int length, MeshAlgorithm algorithm) {
    MeshPlanner planner = new MeshPlanner(mesh);
    Range vector = Range.ofLength(length);
    return new MeshPlan(
        switch (algorithm) {
          case ONE_RING -> List.of(planner.colour(vector, MeshRings.circuit(mesh)));
          case ROWS_THEN_COLUMNS -> List.of(planner.colour(vector, MeshRings.rows(mesh)));
          case ROW_PAIRS -> List.of(planner.colour(vector, MeshRings.rowPairs(mesh)));
          case TWO_COLOURS ->
              List.of(
                  planner.colour(vector.part(0, 2), MeshRings.rows(mesh)),
                  planner.colour(vector.part(1, 2), MeshRings.columns(mesh)));
        });
  }

  private Colour colour(Range range, MeshRings rings) {
    List<MemberRing> full = members(rings.full(), range);
    List<MemberRing> smaller = members(rings.smaller(), range);
    List<MemberRing> all = Stream.concat(full.stream(), smaller.stream()).toList();
    List<MeshStage> stages = new ArrayList<>(LeftOver.stages(mesh, all));
    stages.add(new Rings(all));
    if (!smaller.isEmpty()) {
      stages.add(new Forwards(toFullRings(smaller, full)));
    }
    if (full.size() > 1) {
      stages.add(new Rings(across(full)));
    }
    return new Colour(range, stages);
  }

  private static List<MemberRing> members(List<int[]> rings, Range range) {
    return rings.stream()
        .map(ring -> new MemberRing(Arrays.stream(ring).boxed().toList(), range))
        .toList();
  }

  /** Spread over all full rings, so that no ring's links have all of it to carry. */
  private static List<Forward> toFullRings(List<MemberRing> smaller, List<MemberRing> full) {
    List<Forward> forwards = new ArrayList<>();
    for (int layer = 0; layer < smaller.size(); layer++) {
      MemberRing guests = smaller.get(layer);
      for (int i = 0; i < guests.members().size(); i++) {
        for (int j = 0; j < full.get(0).members().size(); j++) {
          MemberRing hosts = full.get((layer + j) % full.size());
          Range piece = common(guests.shard(i), hosts.shard(j));
          if (!piece.isEmpty()) {
            forwards.add(
                new Forward(
                    guests.members().get(i), hosts.members().get(j), layer, List.of(piece)));
          }
        }
      }
    }
    return forwards;
  }

  /** What is in both of two ranges. */
  static Range common(Range one, Range other) {
    int start = Math.max(one.start(), other.start());
    int end = Math.min(one.end(), other.end());
    return start < end ? new Range(start, end) : Range.EMPTY;
  }

  /** Of the ranks at each position, over the shard that all of them have. */
  private static List<MemberRing> across(List<MemberRing> full) {
    return IntStream.range(0, full.get(0).members().size())
        .mapToObj(
            position ->
                new MemberRing(
                    full.stream().map(ring -> ring.members().get(position)).toList(),
                    full.get(0).shard(position)))
        .toList();
  }
}
