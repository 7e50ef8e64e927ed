package dev.braid.chaos.sim.condition;

import dev.braid.topology.HoledMesh;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The links of a physical mesh: a message to a rank that is no neighbour takes every link of its
 * route, in dimension order or around failed ranks, and waits where others are on it. A link
 * carries one message after the other in each direction, both directions at once.
 *
 * <p>Ranks on the way pass a message on bit by bit, as routers do (cut-through): a long way costs a
 * latency for each link, and not the time of the whole message.
 *
 * <p>A message takes its time on all links of its way when it is sent, on each as soon as it can be
 * there and the link is free for as long; what is sent later may be on a link before it.
 */
public final class MeshLinks implements LinkModel {

  private static final double NANOS_PER_SECOND = 1e9;

  private final HoledMesh mesh;
  private final List<Integer> places;
  private final long linkLatencyNanos;
  private final double bytesPerNano;
  private final Map<Ends, Line> lines = new HashMap<>();
  private final Map<Ends, int[]> routes = new HashMap<>();

  /** A pair packed into a long would have few hash codes. */
  private record Ends(int from, int to) {}

  /**
   * @param places by rank: where it is in the mesh
   * @param linkLatencyNanos of each link
   * @param bytesPerSecond of each link, in each direction
   */
  public MeshLinks(
      HoledMesh mesh, List<Integer> places, long linkLatencyNanos, double bytesPerSecond) {
    this.mesh = mesh;
    this.places = List.copyOf(places);
    this.linkLatencyNanos = linkLatencyNanos;
    this.bytesPerNano = bytesPerSecond / NANOS_PER_SECOND;
  }

  @Override
  public long arrivalNanos(int from, int to, long bytes, long nowNanos) {
    int[] route =
        routes.computeIfAbsent(
            new Ends(places.get(from), places.get(to)), way -> mesh.route(way.from(), way.to()));
    long passing = Math.round(bytes / bytesPerNano);
    long firstBitNanos = nowNanos;
    for (int i = 0; i + 1 < route.length; i++) {
      Line line = lines.computeIfAbsent(new Ends(route[i], route[i + 1]), link -> new Line());
      firstBitNanos = line.take(firstBitNanos, passing, nowNanos) + linkLatencyNanos;
    }
    return firstBitNanos + passing;
  }

  /** A link in one direction: when it is taken. */
  private static final class Line {

    /** Ends by starts. */
    private final TreeMap<Long, Long> taken = new TreeMap<>();

    /** Takes the first time from one on that is long enough, and tells when it begins. */
    long take(long from, long nanos, long now) {
      while (!taken.isEmpty() && taken.firstEntry().getValue() <= now) {
        taken.pollFirstEntry();
      }
      Map.Entry<Long, Long> before = taken.floorEntry(from);
      long start = before == null ? from : Math.max(from, before.getValue());
      for (Map.Entry<Long, Long> next = taken.higherEntry(start);
          next != null && next.getKey() < start + nanos;
          next = taken.higherEntry(start)) {
        start = next.getValue();
      }
      take(start, start + nanos);
      return start;
    }

    /** Times without a gap between them become one. */
    private void take(long start, long end) {
      Map.Entry<Long, Long> before = taken.floorEntry(start);
      boolean goesOn = before != null && before.getValue() == start;
      Long next = taken.remove(end);
      taken.put(goesOn ? before.getKey() : start, next == null ? end : next);
    }
  }
}
