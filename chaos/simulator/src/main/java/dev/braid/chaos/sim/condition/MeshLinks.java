package dev.braid.chaos.sim.condition;

import dev.braid.cost.MeshTraffic;
import dev.braid.topology.HoledMesh;
import java.util.List;

/** Links of a physical mesh, on which messages wait for each other: {@link MeshTraffic}. */
public final class MeshLinks implements LinkModel {

  private static final double NANOS_PER_SECOND = 1e9;

  private final List<Integer> places;
  private final MeshTraffic traffic;

  /**
   * Creates links that are all alike.
   *
   * @param places place of each rank in the mesh
   * @param linkLatencyNanos latency of each link
   * @param bytesPerSecond bandwidth of each link, in each direction
   */
  public MeshLinks(
      HoledMesh mesh, List<Integer> places, long linkLatencyNanos, double bytesPerSecond) {
    this.places = List.copyOf(places);
    this.traffic =
        new MeshTraffic(
            mesh, new MeshTraffic.Links(bytesPerSecond, linkLatencyNanos / NANOS_PER_SECOND));
  }

  @Override
  public long arrivalNanos(int from, int to, long bytes, long nowNanos) {
    return traffic.arrivalNanos(places.get(from), places.get(to), (double) bytes, nowNanos);
  }
}
