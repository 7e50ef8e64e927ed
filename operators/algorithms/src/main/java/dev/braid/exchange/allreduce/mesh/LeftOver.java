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
 * Ranks without a place in any ring. Each forwards its values to a neighbour that is in a ring, or
 * that adds its own values and forwards the sum. A host begins with the block at its own position
 * in the ring, and next adds to the block before that. Its guest sends blocks in this order, so
 * that the ring waits for one block only.
 */
final class LeftOver {

  /**
   * The route of a left-over rank's values to a ring.
   *
   * @param host rank to which the rank forwards
   * @param steps number of forwards to a rank in a ring; 1 if the host is in a ring
   * @param pieces forwarded ranges, in the order in which the ring needs them
   */
  private record ToRing(int host, int steps, List<Range> pieces) {}

  private LeftOver() {}

  /** Returns the stages before the rings; ranks that are furthest from a ring forward first. */
  static List<MeshStage> stages(HoledMesh mesh, List<MemberRing> rings) {
    Map<Integer, ToRing> routes = routes(mesh, rings);
    int furthest = routes.values().stream().mapToInt(ToRing::steps).max().orElse(0);
    List<MeshStage> stages = new ArrayList<>();
    for (int steps = furthest; steps > 0; steps--) {
      stages.add(new Forwards(forwards(routes, steps)));
    }
    return stages;
  }

  private static List<Forward> forwards(Map<Integer, ToRing> routes, int steps) {
    Map<Integer, Integer> layers = new HashMap<>();
    List<Forward> forwards = new ArrayList<>();
    routes.entrySet().stream()
        .filter(route -> route.getValue().steps() == steps)
        .sorted(Map.Entry.comparingByKey())
        .forEach(
            route -> {
              ToRing to = route.getValue();
              int layer = layers.merge(to.host(), 1, Integer::sum) - 1;
              forwards.add(new Forward(route.getKey(), to.host(), layer, to.pieces()));
            });
    return forwards;
  }

  private static Map<Integer, ToRing> routes(HoledMesh mesh, List<MemberRing> rings) {
    Map<Integer, ToRing> routes = new HashMap<>();
    Map<Integer, List<Range>> pieces = new HashMap<>();
    Deque<Integer> open = new ArrayDeque<>();
    for (MemberRing ring : rings) {
      for (int position = 0; position < ring.members().size(); position++) {
        int member = ring.members().get(position);
        pieces.put(member, inTurn(ring, position));
        open.add(member);
      }
    }
    spread(mesh, routes, pieces, open);
    // Ranks without a mesh path to a ring: they can still send to the nearest rank of one.
    for (int rank : mesh.live()) {
      if (!pieces.containsKey(rank)) {
        int host = nearest(mesh, rank, rings);
        routes.put(rank, new ToRing(host, 1, pieces.get(host)));
        pieces.put(rank, pieces.get(host));
        open.add(rank);
        spread(mesh, routes, pieces, open);
      }
    }
    return routes;
  }

  private static void spread(
      HoledMesh mesh,
      Map<Integer, ToRing> routes,
      Map<Integer, List<Range>> pieces,
      Deque<Integer> open) {
    while (!open.isEmpty()) {
      int host = open.remove();
      int steps = routes.containsKey(host) ? routes.get(host).steps() + 1 : 1;
      for (int rank : mesh.neighbours(host)) {
        if (!pieces.containsKey(rank)) {
          routes.put(rank, new ToRing(host, steps, pieces.get(host)));
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

  /** Returns a ring's blocks in the order in which the member at a position adds to them. */
  private static List<Range> inTurn(MemberRing ring, int position) {
    int members = ring.members().size();
    return IntStream.range(0, members)
        .map(i -> Math.floorMod(position - i, members))
        .mapToObj(ring::block)
        .filter(block -> !block.isEmpty())
        .toList();
  }
}
