package dev.braid.exchange.allreduce.mesh;

import dev.braid.cost.MeshTraffic;
import dev.braid.exchange.allreduce.mesh.MeshPlan.Colour;
import dev.braid.exchange.allreduce.mesh.MeshStage.Forward;
import dev.braid.exchange.allreduce.mesh.MeshStage.Forwards;
import dev.braid.exchange.allreduce.mesh.MeshStage.MemberRing;
import dev.braid.exchange.allreduce.mesh.MeshStage.Rings;
import dev.braid.topology.HoledMesh;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * About how long a plan takes, by what each of its stages puts on the links, and without its single
 * messages: of plans of which a {@linkplain MeshRehearsal rehearsal} takes too long.
 *
 * <p>In a ring of k ranks a block goes k − 1 hops, over all links of each, and at each hop waits
 * for all that goes over the same links at the time: the blocks of other hops, and of the same
 * stage of other colours. A stage takes as long as its slowest ring, and ends at once for all,
 * which is what makes it an estimate; on the way back it takes the same again.
 */
final class MeshEstimate {

  private final HoledMesh mesh;
  private final MeshTraffic.Links links;
  private final double bytesPerElement;

  /** By link, from and to: bytes that go over it in one step of the stage. */
  private final Map<Long, Double> loads = new HashMap<>();

  private final Map<Long, int[]> routes = new HashMap<>();

  private MeshEstimate(HoledMesh mesh, MeshTraffic.Links links, double bytesPerElement) {
    this.mesh = mesh;
    this.links = links;
    this.bytesPerElement = bytesPerElement;
  }

  /**
   * What a round of a plan takes, in nanoseconds.
   *
   * @param length of the vector that the plan is for
   * @param bytes of the vector that it stands for
   */
  static long nanos(
      HoledMesh mesh, MeshPlan plan, int length, double bytes, MeshTraffic.Links links) {
    MeshEstimate estimate = new MeshEstimate(mesh, links, bytes / length);
    int stages = plan.colours().stream().mapToInt(colour -> colour.stages().size()).max().orElse(0);
    double seconds = 0;
    for (int stage = 0; stage < stages; stage++) {
      seconds += 2 * estimate.secondsOf(plan.colours(), stage);
    }
    return Math.round(seconds * 1e9);
  }

  /** Of the stage of all colours that have one of this number, side by side. */
  private double secondsOf(List<Colour> colours, int stage) {
    loads.clear();
    List<MeshStage> beside =
        colours.stream()
            .filter(colour -> stage < colour.stages().size())
            .map(colour -> colour.stages().get(stage))
            .toList();
    beside.forEach(this::load);
    return beside.stream().mapToDouble(this::secondsOf).max().orElse(0);
  }

  private void load(MeshStage stage) {
    if (stage instanceof Rings rings) {
      for (MemberRing ring : rings.rings()) {
        List<Integer> members = ring.members();
        for (int i = 0; i < members.size() && members.size() > 1; i++) {
          load(members.get(i), next(members, i), bytesOfBlock(ring));
        }
      }
    } else if (stage instanceof Forwards forwards) {
      for (Forward forward : forwards.forwards()) {
        load(forward.guest(), forward.host(), forward.values() * bytesPerElement);
      }
    }
  }

  private void load(int from, int to, double bytes) {
    int[] route = route(from, to);
    for (int i = 0; i + 1 < route.length; i++) {
      loads.merge(link(route[i], route[i + 1]), bytes, Double::sum);
    }
  }

  private double secondsOf(MeshStage stage) {
    if (stage instanceof Rings rings) {
      return rings.rings().stream().mapToDouble(this::secondsOf).max().orElse(0);
    }
    return ((Forwards) stage)
        .forwards().stream()
            .mapToDouble(
                forward ->
                    latency(forward.guest(), forward.host())
                        + busiest(forward.guest(), forward.host()))
            .max()
            .orElse(0);
  }

  private double secondsOf(MemberRing ring) {
    List<Integer> members = ring.members();
    double latencies = 0;
    double busiest = 0;
    for (int i = 0; i < members.size() && members.size() > 1; i++) {
      latencies += latency(members.get(i), next(members, i));
      busiest = Math.max(busiest, busiest(members.get(i), next(members, i)));
    }
    int hops = members.size() - 1;
    return latencies * hops / members.size() + busiest * hops;
  }

  private double latency(int from, int to) {
    return links.latencySeconds() * (route(from, to).length - 1);
  }

  /** How long the link on a way takes for a step that has most to carry. */
  private double busiest(int from, int to) {
    int[] route = route(from, to);
    double most = 0;
    for (int i = 0; i + 1 < route.length; i++) {
      most = Math.max(most, loads.get(link(route[i], route[i + 1])));
    }
    return most / links.bytesPerSecond();
  }

  private double bytesOfBlock(MemberRing ring) {
    return ring.range().length() * bytesPerElement / ring.members().size();
  }

  private static int next(List<Integer> members, int position) {
    return members.get(position + 1 == members.size() ? 0 : position + 1);
  }

  private int[] route(int from, int to) {
    return routes.computeIfAbsent(link(from, to), ends -> MeshTraffic.route(mesh, from, to));
  }

  private static long link(int from, int to) {
    return (long) from << Integer.SIZE | to;
  }
}
