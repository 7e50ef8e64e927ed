package dev.braid.exchange.allreduce.mesh;

import dev.braid.cost.MeshTraffic;
import dev.braid.exchange.allreduce.mesh.MeshPlan.Colour;
import dev.braid.exchange.allreduce.mesh.MeshStage.Forward;
import dev.braid.exchange.allreduce.mesh.MeshStage.Forwards;
import dev.braid.exchange.allreduce.mesh.MeshStage.MemberRing;
import dev.braid.exchange.allreduce.mesh.MeshStage.Rings;
import dev.braid.topology.HoledRoutes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * Estimate of the time of a plan, from hops, latencies, bytes and bandwidths. A round takes the
 * longer of two times:
 *
 * <ul>
 *   <li>The time for all bytes on the busiest link.
 *   <li>The time of the longest chain of messages, each of which takes the latency of its links and
 *       the time of its bytes. In a ring of k ranks, a block takes k − 1 hops, and waits at each
 *       rank until the rank's own values are ready. Forwards of a stage over the same link follow
 *       each other. The ring of a host waits for the guest's first piece, and then needs a piece
 *       per hop.
 * </ul>
 *
 * <p>Blocks of different colours wait for each other on the way back, because colours are seldom in
 * step: at each hop, a block waits for half of a larger block that another colour sends over the
 * same link.
 */
final class MeshEstimate {

  /**
   * Number of estimated rounds, of which only the last counts: ranks complete a round at different
   * times.
   */
  private static final int ROUNDS = 2;

  /**
   * Factor for the time of all bytes in a plan with forwards, because links are idle while ranks
   * wait for forwards. The factor was determined by simulations of meshes with holes.
   */
  private static final double IDLE_WITH_FORWARDS = 1.2;

  private final MeshPlan plan;
  private final int ranks;
  private final HoledRoutes routes;
  private final double secondsPerLink;
  private final double secondsPerElement;

  /** By colour and link: time in seconds for the largest block of the colour's rings. */
  private final List<Map<Long, Double>> largest = new ArrayList<>();

  /** By link: time in seconds for all bytes of a round. */
  private final Map<Long, Double> busy = new HashMap<>();

  /** Receiver of the times in seconds at which the first and the last piece of a forward arrive. */
  @FunctionalInterface
  private interface Arrival {
    void arrive(Forward forward, double first, double last);
  }

  private MeshEstimate(
      MeshPlan plan,
      int ranks,
      HoledRoutes routes,
      MeshTraffic.Links links,
      double bytesPerElement) {
    this.plan = plan;
    this.ranks = ranks;
    this.routes = routes;
    this.secondsPerLink = links.latencySeconds();
    this.secondsPerElement = bytesPerElement / links.bytesPerSecond();
    for (Colour colour : plan.colours()) {
      Map<Long, Double> ofColour = new HashMap<>();
      for (MeshStage stage : colour.stages()) {
        if (stage instanceof Rings rings) {
          rings.rings().forEach(ring -> load(ring, ofColour));
        } else {
          ((Forwards) stage).forwards().forEach(this::load);
        }
      }
      largest.add(ofColour);
    }
  }

  /**
   * Returns the estimated time of a round, in nanoseconds.
   *
   * @param ranks number of ranks of the mesh, failed ranks included
   * @param length number of elements of the plan's vector
   * @param bytes size in bytes of the real vector, which the plan's vector represents
   */
  static long nanos(
      MeshPlan plan,
      int ranks,
      HoledRoutes routes,
      MeshTraffic.Links links,
      int length,
      double bytes) {
    MeshEstimate estimate = new MeshEstimate(plan, ranks, routes, links, bytes / length);
    return Math.round(Math.max(estimate.secondsOfBytes(), estimate.secondsOfMessages()) * 1e9);
  }

  // ---- bytes -----------------------------------------------------------------------------------

  private void load(MemberRing ring, Map<Long, Double> ofColour) {
    int hops = ring.members().size() - 1;
    double block = block(ring);
    for (int i = 0; i <= hops; i++) {
      for (long link : linksAfter(ring, i)) {
        ofColour.merge(link, block, Double::max);
        busy.merge(link, 2 * block * hops, Double::sum);
      }
    }
  }

  private void load(Forward forward) {
    double seconds = forward.values() * secondsPerElement;
    for (long link : links(forward.guest(), forward.host())) {
      busy.merge(link, seconds, Double::sum);
    }
    for (long link : links(forward.host(), forward.guest())) {
      busy.merge(link, seconds, Double::sum);
    }
  }

  private double secondsOfBytes() {
    boolean hasForwards =
        plan.colours().stream()
            .flatMap(colour -> colour.stages().stream())
            .anyMatch(Forwards.class::isInstance);
    double most = busy.values().stream().mapToDouble(seconds -> seconds).max().orElse(0);
    return hasForwards ? IDLE_WITH_FORWARDS * most : most;
  }

  // ---- messages --------------------------------------------------------------------------------

  private double secondsOfMessages() {
    double[] ends = new double[ranks];
    double seconds = 0;
    for (int round = 0; round < ROUNDS; round++) {
      double[] begins = ends;
      ends = begins.clone();
      for (int colour = 0; colour < largest.size(); colour++) {
        double[] ofColour = ends(colour, begins);
        for (int rank = 0; rank < ranks; rank++) {
          ends[rank] = Math.max(ends[rank], ofColour[rank]);
        }
      }
      seconds = Arrays.stream(ends).max().orElse(0) - Arrays.stream(begins).max().orElse(0);
    }
    return seconds;
  }

  /** Returns by rank when it has a colour's sum, if ranks begin at the given times. */
  private double[] ends(int colour, double[] begins) {
    List<MeshStage> stages = plan.colours().get(colour).stages();
    double[] first = begins.clone();
    double[] pace = new double[ranks];
    for (MeshStage stage : stages) {
      if (stage instanceof Rings rings) {
        first = around(rings, first, pace, List.of());
        pace = new double[ranks];
      } else {
        toHosts((Forwards) stage, first, pace);
      }
    }
    List<Map<Long, Double>> others = new ArrayList<>(largest);
    others.remove(colour);
    double[] last = first.clone();
    for (int i = stages.size() - 1; i >= 0; i--) {
      if (stages.get(i) instanceof Rings rings) {
        last = around(rings, last, new double[ranks], others);
      } else {
        toGuests((Forwards) stages.get(i), first, last);
      }
    }
    return last;
  }

  /**
   * Returns by rank when the last block has arrived, after its hops around the ring.
   *
   * @param ready by rank: time at which its values for the first block are ready
   * @param pace by rank: time between this block and the next, in seconds
   * @param others for each other colour, by link: the largest block that may be in the way
   */
  private double[] around(
      Rings stage, double[] ready, double[] pace, List<Map<Long, Double>> others) {
    double[] after = ready.clone();
    for (MemberRing ring : stage.rings()) {
      int size = ring.members().size();
      double[] hops = new double[size];
      Arrays.setAll(hops, position -> secondsOfHop(ring, position, others));
      for (int position = 0; position < size; position++) {
        // The last block to arrive at a member comes from the next member, and visits all others.
        double seconds = 0;
        for (int hop = 0; hop < size; hop++) {
          int at = (position + 1 + hop) % size;
          int rank = ring.members().get(at);
          seconds = Math.max(seconds, ready[rank] + hop * pace[rank]);
          seconds += at == position ? 0 : hops[at];
        }
        after[ring.members().get(position)] = seconds;
      }
    }
    return after;
  }

  private double secondsOfHop(MemberRing ring, int position, List<Map<Long, Double>> others) {
    long[] links = linksAfter(ring, position);
    double block = block(ring);
    double longest = 0;
    for (long link : links) {
      double wait = 0;
      for (Map<Long, Double> other : others) {
        double ofOther = other.getOrDefault(link, 0.0);
        wait += ofOther > block ? ofOther / 2 : 0;
      }
      longest = Math.max(longest, wait);
    }
    return links.length * secondsPerLink + block + longest;
  }

  /** Delays hosts until values of their guests arrive. */
  private void toHosts(Forwards stage, double[] first, double[] pace) {
    forward(
        stage,
        Forward::guest,
        Forward::host,
        first,
        (forward, arrives, ends) -> {
          int host = forward.host();
          int further = forward.pieces().size() - 1;
          first[host] = Math.max(first[host], arrives);
          if (further > 0) {
            pace[host] = Math.max(pace[host], (ends - arrives) / further);
          }
        });
  }

  /** Sets when guests have the first and the last values of the finished sum. */
  private void toGuests(Forwards stage, double[] first, double[] last) {
    for (Forward forward : stage.forwards()) {
      first[forward.guest()] = 0;
      last[forward.guest()] = 0;
    }
    forward(
        stage,
        Forward::host,
        Forward::guest,
        first,
        (forward, arrives, ends) -> {
          int guest = forward.guest();
          double ofLast = arrives - first[forward.host()] + last[forward.host()];
          first[guest] = Math.max(first[guest], arrives);
          last[guest] = Math.max(last[guest], Math.max(ends, ofLast));
        });
  }

  /** Sends all forwards of a stage; those that are ready first get each link first. */
  private void forward(
      Forwards stage,
      ToIntFunction<Forward> from,
      ToIntFunction<Forward> to,
      double[] ready,
      Arrival arrival) {
    Map<Long, Double> free = new HashMap<>();
    List<Forward> inOrder = new ArrayList<>(stage.forwards());
    inOrder.sort(Comparator.comparingDouble(forward -> ready[from.applyAsInt(forward)]));
    for (Forward forward : inOrder) {
      long[] links = links(from.applyAsInt(forward), to.applyAsInt(forward));
      double seconds = forward.values() * secondsPerElement;
      double start = ready[from.applyAsInt(forward)];
      for (long link : links) {
        start = Math.max(start, free.getOrDefault(link, 0.0));
      }
      for (long link : links) {
        free.put(link, start + seconds);
      }
      double arrives = start + links.length * secondsPerLink;
      double piece = seconds / Math.max(1, forward.pieces().size());
      arrival.arrive(forward, arrives + piece, arrives + seconds);
    }
  }

  // ---- links -----------------------------------------------------------------------------------

  /** Returns the time in seconds that a link takes for a block of a ring. */
  private double block(MemberRing ring) {
    return ring.range().length() * secondsPerElement / ring.members().size();
  }

  private long[] linksAfter(MemberRing ring, int position) {
    List<Integer> members = ring.members();
    return links(members.get(position), members.get((position + 1) % members.size()));
  }

  /** Returns the links of a route, each as its two ends. */
  private long[] links(int from, int to) {
    int[] route = MeshTraffic.route(routes, from, to);
    long[] links = new long[route.length - 1];
    Arrays.setAll(links, i -> (long) route[i] << Integer.SIZE | route[i + 1]);
    return links;
  }
}
