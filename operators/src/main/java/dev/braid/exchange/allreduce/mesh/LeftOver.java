package dev.braid.exchange.allreduce.mesh;

import dev.braid.exchange.allreduce.mesh.MeshStage.Forward;
import dev.braid.exchange.allreduce.mesh.MeshStage.Forwards;
import dev.braid.exchange.allreduce.mesh.MeshStage.MemberRing;
import dev.braid.topology.HoledMesh;
import dev.braid.vector.Range;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Ranks that no ring has a place for: each forwards its values to a neighbour that is in a ring, or
 * that forwards them on with its own. A host sends its blocks around the ring beginning with that
 * at its own position, and adds to the one before that next: its guest sends them in this order, so
 * that the ring waits for one block only.
 */
final class LeftOver {

  /**
   * Whom a rank forwards to, over how many others.
   *
   * @param steps 1 if that is in a ring
   * @param pieces in the order in which the ring needs them
   */
  private record Way(int host, int steps, List<Range> pieces) {}

  private LeftOver() {}

  /** The stages before the rings, those first that are furthest from a ring. */
  static List<MeshStage> stages(HoledMesh mesh, List<MemberRing> rings) {
    Map<Integer, Way> ways = ways(mesh, rings);
    int furthest = ways.values().stream().mapToInt(Way::steps).max().orElse(0);
    List<MeshStage> stages = new ArrayList<>();
    for (int steps = furthest; steps > 0; steps--) {
      stages.add(new Forwards(forwards(ways, steps)));
    }
    return stages;
  }

  private static List<Forward> forwards(Map<Integer, Way> ways, int steps) {
    Map<Integer, Integer> layers = new HashMap<>();
    List<Forward> forwards = new ArrayList<>();
    ways.entrySet().stream()
        .filter(way -> way.getValue().steps() == steps)
        .sorted(Map.Entry.comparingByKey())
        .forEach(
            way -> {
              Way to = way.getValue();
              int layer = layers.merge(to.host(), 1, Integer::sum) - 1;
              forwards.add(new Forward(way.getKey(), to.host(), layer, to.pieces()));
            });
    return forwards;
  }

  private static Map<Integer, Way> ways(HoledMesh mesh, List<MemberRing> rings) {
    Map<Integer, Way> ways = new HashMap<>();
    Map<Integer, List<Range>> pieces = new HashMap<>();
    Deque<Integer> open = new ArrayDeque<>();
    for (MemberRing ring : rings) {
      for (int position = 0; position < ring.members().size(); position++) {
        int member = ring.members().get(position);
        pieces.put(member, inTurn(ring, position));
        open.add(member);
      }
    }
    spread(mesh, ways, pieces, open);
    // Parts without a link to each other, which may still send to each other.
    for (int rank : mesh.live()) {
      if (!pieces.containsKey(rank)) {
        int host = nearest(mesh, rank, rings);
        ways.put(rank, new Way(host, 1, pieces.get(host)));
        pieces.put(rank, pieces.get(host));
        open.add(rank);
        spread(mesh, ways, pieces, open);
      }
    }
    return ways;
  }

  private static void spread(
      HoledMesh mesh,
      Map<Integer, Way> ways,
      Map<Integer, List<Range>> pieces,
      Deque<Integer> open) {
    while (!open.isEmpty()) {
      int host = open.remove();
      int steps = ways.containsKey(host) ? ways.get(host).steps() + 1 : 1;
      for (int rank : mesh.neighbours(host)) {
        if (!pieces.containsKey(rank)) {
          ways.put(rank, new Way(host, steps, pieces.get(host)));
          pieces.put(rank, pieces.get(host));
          open.add(rank);
        }
      }
    }
  }

  private static int nearest(HoledMesh mesh, int rank, List<MemberRing> rings) {
    return rings.stream()
        .flatMap(ring -> ring.members().stream())
        .min(Comparator.comparingInt(member -> mesh.mesh().distance(rank, member)))
        .orElseThrow();
  }

  /** A ring's blocks, in the order in which the member at a position adds to them. */
  private static List<Range> inTurn(MemberRing ring, int position) {
    int members = ring.members().size();
    return IntStream.range(0, members)
        .map(i -> Math.floorMod(position - i, members))
        .mapToObj(ring::block)
        .filter(block -> !block.isEmpty())
        .toList();
  }
}
