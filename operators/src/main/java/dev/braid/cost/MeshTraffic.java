package dev.braid.cost;

import dev.braid.topology.HoledMesh;
import dev.braid.topology.HoledRoutes;
import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * When messages arrive on a physical mesh: one to a rank that is no neighbour takes every link of
 * its route, in dimension order or around failed ranks, and waits where others are on it. A link
 * carries one message after the other in each direction, both directions at once.
 *
 * <p>Ranks on the way pass a message on bit by bit, as routers do (cut-through): a long way costs a
 * latency for each link, and not the time of the whole message.
 *
 * <p>A message takes its time on all links of its way when it is sent, on each as soon as it can be
 * there and the link is free for as long; what is sent later may be on a link before it.
 */
public final class MeshTraffic {

  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * What every link of a mesh is like.
   *
   * @param bytesPerSecond in each direction, above 0
   * @param latencySeconds from the sending of a bit to its arrival, 0 or more
   */
  public record Links(double bytesPerSecond, double latencySeconds) implements Serializable {

    public Links {
      boolean isRight = bytesPerSecond > 0 && latencySeconds >= 0;
      if (!isRight || Double.isInfinite(bytesPerSecond) || Double.isInfinite(latencySeconds)) {
        throw new IllegalArgumentException(
            "links of %s bytes/s and %s s: more than 0, and 0 or more, are needed"
                .formatted(bytesPerSecond, latencySeconds));
      }
    }
  }

  private final HoledRoutes routes;
  private final long latencyNanos;
  private final double bytesPerNano;
  private final Map<Ends, Line> lines = new HashMap<>();

  /** The links of each route, in their order. */
  private final Map<Ends, Line[]> ways = new HashMap<>();

  private record Ends(int from, int to) {

    /**
     * Neighbours' numbers differ by little: what a record has, and a pair packed into a long, is
     * the same for many of them.
     */
    @Override
    public int hashCode() {
      return (int) ((from * 0x9E3779B97F4A7C15L + to * 0xC2B2AE3D27D4EB4FL) >>> Integer.SIZE);
    }
  }

  /** A mesh on which nothing is under way. */
  public MeshTraffic(HoledMesh mesh, Links links) {
    this(mesh.routes(), links);
  }

  /** The same on a mesh whose routes are kept. */
  public MeshTraffic(HoledRoutes routes, Links links) {
    this.routes = routes;
    this.latencyNanos = Math.round(links.latencySeconds() * NANOS_PER_SECOND);
    this.bytesPerNano = links.bytesPerSecond() / NANOS_PER_SECOND;
  }

  /**
   * Sends a message.
   *
   * @param nowNanos not before that of the message before
   * @return when all of it has arrived
   */
  public long arrivalNanos(int from, int to, double bytes, long nowNanos) {
    long passing = Math.round(bytes / bytesPerNano);
    long firstBitNanos = nowNanos;
    for (Line line : ways.computeIfAbsent(new Ends(from, to), this::way)) {
      firstBitNanos = line.take(firstBitNanos, passing, nowNanos) + latencyNanos;
    }
    return firstBitNanos + passing;
  }

  private Line[] way(Ends ends) {
    int[] route = route(routes, ends.from(), ends.to());
    Line[] way = new Line[route.length - 1];
    for (int i = 0; i < way.length; i++) {
      way[i] = lines.computeIfAbsent(new Ends(route[i], route[i + 1]), link -> new Line());
    }
    return way;
  }

  /**
   * The ranks that a message goes over, both ends with them. Parts without a way to each other may
   * reach each other by one that the mesh has not.
   */
  public static int[] route(HoledRoutes routes, int from, int to) {
    return routes.route(from, to).orElseGet(() -> new int[] {from, to});
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
