package dev.braid.exchange.allreduce.mesh;

import dev.braid.cost.MeshTraffic;
import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.Update;
import dev.braid.exchange.allreduce.Allreduce;
import dev.braid.exchange.message.Message;
import dev.braid.topology.HoledMesh;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * Simulation of a plan on a mesh with known links, to measure its time. All ranks execute their
 * part in virtual time, over a short vector each element of which represents many.
 *
 * <p>The simulation runs two rounds, and only the second counts: ranks complete a plan at different
 * times, and a rank that is late in one stage may be early in the next.
 */
final class MeshRehearsal {

  private static final int ROUNDS = 2;

  private final MeshTraffic traffic;
  private final double bytesPerElement;
  private final float[] gradient;
  private final Map<Integer, Allreduce> ranks = new HashMap<>();
  private final PriorityQueue<Arrival> arrivals =
      new PriorityQueue<>(
          Comparator.comparingLong(Arrival::nanos).thenComparingLong(Arrival::number));

  /** By round: virtual time in nanoseconds at which the last rank completes it. */
  private final long[] ends = new long[ROUNDS];

  private long nowNanos;
  private long sent;

  /** Arrival of a message; of arrivals at the same time, the message sent first is first. */
  private record Arrival(long nanos, long number, Message message) {}

  private MeshRehearsal(MeshTraffic traffic, double bytes, int length) {
    this.traffic = traffic;
    this.bytesPerElement = bytes / length;
    this.gradient = new float[length];
  }

  /**
   * Returns the simulated time of a round, in nanoseconds.
   *
   * @param length number of elements of the plan's vector
   * @param bytes size in bytes of the real vector, which the plan's vector represents
   */
  static long nanos(
      HoledMesh mesh, MeshPlan plan, int length, double bytes, MeshTraffic.Links links) {
    MeshRehearsal rehearsal = new MeshRehearsal(new MeshTraffic(mesh, links), bytes, length);
    float[] partials = new float[length];
    for (int rank : mesh.live()) {
      ExchangeConfig config = new ExchangeConfig(rank, mesh.mesh().ranks(), length, length, 0);
      rehearsal.ranks.put(
          rank,
          new Allreduce(
              config,
              rehearsal.new LinksPort(),
              1,
              (all, vector, sums, completion) ->
                  MeshPhases.of(plan, all, sums, partials, completion),
              sum -> {}));
    }
    for (int rank : mesh.live()) {
      rehearsal.contribute(rank);
    }
    rehearsal.run();
    return rehearsal.ends[ROUNDS - 1] - rehearsal.ends[0];
  }

  /** Contributes to the next round as soon as the previous one is complete, until all are. */
  private void contribute(int rank) {
    Allreduce rounds = ranks.get(rank);
    for (long round = rounds.completedRounds();
        round < ROUNDS && rounds.mayCompute();
        round = rounds.completedRounds()) {
      rounds.contribute(new Contribution(round, gradient, 1));
      noteEnd(rounds, round);
    }
  }

  private void noteEnd(Allreduce rounds, long round) {
    if (rounds.completedRounds() > round) {
      ends[(int) round] = nowNanos;
    }
  }

  private void run() {
    while (!arrivals.isEmpty()) {
      Arrival next = arrivals.remove();
      nowNanos = next.nanos();
      Message message = next.message();
      Allreduce rounds = ranks.get(message.destination());
      long round = rounds.completedRounds();
      rounds.receive(message);
      noteEnd(rounds, round);
      contribute(message.destination());
    }
  }

  /** Port that only puts messages on links. */
  private final class LinksPort implements Port {

    @Override
    public long nowNanos() {
      return nowNanos;
    }

    @Override
    public void handOver(Message message) {
      send(message);
    }

    @Override
    public void send(Message message) {
      double bytes = message.body().range().length() * bytesPerElement;
      long arrival = traffic.arrivalNanos(message.origin(), message.destination(), bytes, nowNanos);
      arrivals.add(new Arrival(arrival, sent++, message));
    }

    @Override
    public void wakeAt(long nanos) {}

    @Override
    public float[][] model() {
      return new float[0][];
    }

    @Override
    public void update(Update update) {}
  }
}
