package dev.braid.cost;

import dev.braid.topology.HoledMesh;
import dev.braid.topology.HoledRoutes;
import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Arrival times of messages on a physical mesh. A message to a rank that is not a neighbour
 * occupies every link of its route, in dimension order or around failed ranks, and waits where
 * other messages occupy a link. A link carries one message at a time in each direction, and both
 * directions work at the same time.
 *
 * <p>Ranks on the route forward a message bit by bit, as routers do (cut-through): a longer route
 * adds a latency for each link, and not the time of the whole message.
 *
 * <p>A message reserves all links of its route when it is sent. It reserves each link from the
 * first moment at which the message can be there and the link is free for long enough. A message
 * that is sent later may therefore use a link before it.
 */
public final class MeshTraffic {

  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * Properties of every link of a mesh.
   *
   * @param bytesPerSecond bandwidth in each direction, more than 0
   * @param latencySeconds time from the sending of a bit to its arrival, at least 0
   */
  public record Links(double bytesPerSecond, double latencySeconds) implements Serializable {

    public Links {
      boolean isRight = bytesPerSecond > 0 && latencySeconds >= 0;
      if (!isRight || Double.isInfinite(bytesPerSecond) || Double.isInfinite(latencySeconds)) {
        throw new IllegalArgumentException(
            "links of %s bytes/s with a latency of %s s: must be above 0 bytes/s and at least 0 s"
                .formatted(bytesPerSecond, latencySeconds));
      }
    }
  }

  private final HoledRoutes routes;
  private final long latencyNanos;
  private final double bytesPerNano;
  private final Map<Ends, Line> lines = new HashMap<>();

  /** Links of each route, in order. */
  private final Map<Ends, Line[]> linesOfRoutes = new HashMap<>();

  private record Ends(int from, int to) {

    /**
     * Mixes both numbers. Neighbours' numbers differ by little, so a record's default hash and a
     * pair packed into a long have many collisions.
     */
    @Override
    public int hashCode() {
      return (int) ((from * 0x9E3779B97F4A7C15L + to * 0xC2B2AE3D27D4EB4FL) >>> Integer.SIZE);
    }
  }

  /** Creates a mesh without messages in flight. */
  public MeshTraffic(HoledMesh mesh, Links links) {
    this.routes = mesh.routes();
    this.latencyNanos = Math.round(links.latencySeconds() * NANOS_PER_SECOND);
    this.bytesPerNano = links.bytesPerSecond() / NANOS_PER_SECOND;
  }

  /**
   * Sends a message.
   *
   * @param bytes size of the message
   * @param nowNanos time of sending, not before that of the previous message
   * @return the time at which the whole message has arrived, in nanoseconds
   */
  public long arrivalNanos(int from, int to, double bytes, long nowNanos) {
    long passing = Math.round(bytes / bytesPerNano);
    long firstBitNanos = nowNanos;
    for (Line line : linesOfRoutes.computeIfAbsent(new Ends(from, to), this::ofRoute)) {
      firstBitNanos = line.take(firstBitNanos, passing, nowNanos) + latencyNanos;
    }
    return firstBitNanos + passing;
  }

  private Line[] ofRoute(Ends ends) {
    int[] route = route(routes, ends.from(), ends.to());
    Line[] ofRoute = new Line[route.length - 1];
    for (int i = 0; i < ofRoute.length; i++) {
      ofRoute[i] = lines.computeIfAbsent(new Ends(route[i], route[i + 1]), link -> new Line());
    }
    return ofRoute;
  }

  /**
   * Returns the ranks on a message's route, both ends included. If failed ranks leave no route, the
   * message takes a direct one that the mesh does not have.
   */
  public static int[] route(HoledRoutes routes, int from, int to) {
    return routes.route(from, to).orElseGet(() -> new int[] {from, to});
  }

  /** A link in one direction, with its reserved times. */
  private static final class Line {

    /** Ends of reserved intervals by their starts, in nanoseconds. */
    private final TreeMap<Long, Long> taken = new TreeMap<>();

    /**
     * Reserves the first free interval of {@code nanos} that starts at {@code from} or later, and
     * returns its start.
     */
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

    /** Reserves an interval, merged with adjacent ones. */
    private void take(long start, long end) {
      Map.Entry<Long, Long> before = taken.floorEntry(start);
      boolean goesOn = before != null && before.getValue() == start;
      Long next = taken.remove(end);
      taken.put(goesOn ? before.getKey() : start, next == null ? end : next);
    }
  }
}
