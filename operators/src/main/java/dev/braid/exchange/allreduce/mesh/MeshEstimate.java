package dev.braid.exchange.allreduce.mesh;

import dev.braid.cost.MeshTraffic;
import dev.braid.exchange.allreduce.mesh.MeshPlan.Colour;
import dev.braid.exchange.allreduce.mesh.MeshStage.Forward;
import dev.braid.exchange.allreduce.mesh.MeshStage.Forwards;
import dev.braid.exchange.allreduce.mesh.MeshStage.MemberRing;
import dev.braid.exchange.allreduce.mesh.MeshStage.Rings;
import dev.braid.topology.HoledRoutes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Estimate of the time of a plan from the load that each of its stages puts on links, without
 * single messages. It is for plans whose {@linkplain MeshRehearsal rehearsal} takes too long.
 *
 * <p>In a ring of k ranks a block travels k − 1 hops, each over one or more links. At each hop it
 * waits for all data on the same links at that time: the blocks of other hops, and of the same
 * stage of other colours; or, because colours are seldom in step, half of the largest block that
 * another colour ever has on the link. A stage takes as long as its slowest ring and ends for all
 * ranks at the same time; this simplification makes it an estimate. The way back takes the same
 * time again.
 */
final class MeshEstimate {

  private final HoledRoutes routes;
  private final MeshTraffic.Links links;
  private final double bytesPerElement;

  /** By link (from, to): bytes sent over it in one step of the stage. */
  private final Map<Long, Double> loads = new HashMap<>();

  /** By colour and link: blocks that all other colours send over it on the way to the sum. */
  private final List<Map<Long, Blocks>> ofOthers;

  /** Bytes of the largest block and of all blocks. */
  private record Blocks(double largest, double all) {

    static final Blocks NONE = new Blocks(0, 0);

    Blocks with(Blocks more) {
      return new Blocks(Math.max(largest, more.largest), all + more.all);
    }

    /** Returns the bytes for which a number of blocks wait: half a block each, at most all. */
    double waitedFor(int blocks) {
      return Math.min(blocks * largest / 2, all);
    }
  }

  /** Receiver of the load of a link: the size of a block, and the number of consecutive blocks. */
  @FunctionalInterface
  private interface Load {
    void add(long link, double bytesOfBlock, int blocks);
  }

  private MeshEstimate(
      HoledRoutes routes, MeshTraffic.Links links, double bytesPerElement, List<Colour> colours) {
    this.routes = routes;
    this.links = links;
    this.bytesPerElement = bytesPerElement;
    this.ofOthers = ofOthers(colours.stream().map(this::blocks).toList());
  }

  /**
   * Returns the estimated time of a round, in nanoseconds.
   *
   * @param length number of elements of the plan's vector
   * @param bytes size in bytes of the real vector, which the plan's vector represents
   */
  static long nanos(
      HoledRoutes routes, MeshPlan plan, int length, double bytes, MeshTraffic.Links links) {
    MeshEstimate estimate = new MeshEstimate(routes, links, bytes / length, plan.colours());
    int stages = plan.colours().stream().mapToInt(colour -> colour.stages().size()).max().orElse(0);
    double seconds = 0;
    for (int stage = 0; stage < stages; stage++) {
      seconds += 2 * estimate.secondsOf(plan.colours(), stage);
    }
    return Math.round(seconds * 1e9);
  }

  private Map<Long, Blocks> blocks(Colour colour) {
    Map<Long, Blocks> blocks = new HashMap<>();
    for (MeshStage stage : colour.stages()) {
      load(
          stage,
          (link, bytes, times) ->
              blocks.merge(link, new Blocks(bytes, bytes * times), Blocks::with));
    }
    return blocks;
  }

  private static List<Map<Long, Blocks>> ofOthers(List<Map<Long, Blocks>> ofColours) {
    List<Map<Long, Blocks>> ofOthers = new ArrayList<>();
    for (int colour = 0; colour < ofColours.size(); colour++) {
      Map<Long, Blocks> others = new HashMap<>();
      for (int other = 0; other < ofColours.size(); other++) {
        if (other != colour) {
          ofColours.get(other).forEach((link, all) -> others.merge(link, all, Blocks::with));
        }
      }
      ofOthers.add(others);
    }
    return ofOthers;
  }

  /** Returns the time in seconds of the stage with this number in all colours, run concurrently. */
  private double secondsOf(List<Colour> colours, int stage) {
    loads.clear();
    for (Colour colour : colours) {
      if (stage < colour.stages().size()) {
        load(
            colour.stages().get(stage),
            (link, bytes, times) -> loads.merge(link, bytes, Double::sum));
      }
    }
    double most = 0;
    for (int i = 0; i < colours.size(); i++) {
      if (stage < colours.get(i).stages().size()) {
        most = Math.max(most, secondsOf(colours.get(i).stages().get(stage), ofOthers.get(i)));
      }
    }
    return most;
  }

  private void load(MeshStage stage, Load load) {
    if (stage instanceof Rings rings) {
      for (MemberRing ring : rings.rings()) {
        List<Integer> members = ring.members();
        for (int i = 0; i < members.size() && members.size() > 1; i++) {
          load(members.get(i), next(members, i), bytesOfBlock(ring), members.size() - 1, load);
        }
      }
    } else if (stage instanceof Forwards forwards) {
      for (Forward forward : forwards.forwards()) {
        load(forward.guest(), forward.host(), forward.values() * bytesPerElement, 1, load);
      }
    }
  }

  private void load(int from, int to, double bytes, int times, Load load) {
    int[] route = route(from, to);
    for (int i = 0; i + 1 < route.length; i++) {
      load.add(link(route[i], route[i + 1]), bytes, times);
    }
  }

  private double secondsOf(MeshStage stage, Map<Long, Blocks> others) {
    if (stage instanceof Rings rings) {
      return rings.rings().stream().mapToDouble(ring -> secondsOf(ring, others)).max().orElse(0);
    }
    return ((Forwards) stage)
        .forwards().stream()
            .mapToDouble(
                forward ->
                    latency(forward.guest(), forward.host())
                        + busiest(
                            forward.guest(),
                            forward.host(),
                            forward.values() * bytesPerElement,
                            1,
                            others))
            .max()
            .orElse(0);
  }

  private double secondsOf(MemberRing ring, Map<Long, Blocks> others) {
    List<Integer> members = ring.members();
    int hops = members.size() - 1;
    double latencies = 0;
    double busiest = 0;
    for (int i = 0; i < members.size() && members.size() > 1; i++) {
      int next = next(members, i);
      latencies += latency(members.get(i), next);
      busiest = Math.max(busiest, busiest(members.get(i), next, bytesOfBlock(ring), hops, others));
    }
    return latencies * hops / members.size() + busiest;
  }

  private double latency(int from, int to) {
    return links.latencySeconds() * (route(from, to).length - 1);
  }

  /** Returns the time in seconds that the busiest link on a route takes for a number of blocks. */
  private double busiest(
      int from, int to, double bytesOfBlock, int blocks, Map<Long, Blocks> others) {
    int[] route = route(from, to);
    double most = 0;
    for (int i = 0; i + 1 < route.length; i++) {
      long link = link(route[i], route[i + 1]);
      double waited = others.getOrDefault(link, Blocks.NONE).waitedFor(blocks);
      most = Math.max(most, Math.max(loads.get(link) * blocks, bytesOfBlock * blocks + waited));
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
    return MeshTraffic.route(routes, from, to);
  }

  private static long link(int from, int to) {
    return (long) from << Integer.SIZE | to;
  }
}
