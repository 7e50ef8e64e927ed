package dev.braid.chaos.sim;

import dev.braid.chaos.fault.Effect;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/** A rank's compute thread in virtual time: a gradient, and evaluations one after the other. */
final class SimulatedComputing {

  /** Has an event happen to the rank. */
  interface Schedule {
    void at(long nanos, Event.Kind kind);
  }

  /** A gradient that is being computed, from its first element to the last. */
  private record Computing(float[] values, float[] gradient, Runnable ready) {
    static final Computing NOTHING = new Computing(new float[0], new float[0], () -> {});

    void end() {
      System.arraycopy(values, 0, gradient, 0, values.length);
      ready.run();
    }

    /** Returns the same gradient, left off halfway. */
    Computing half() {
      return new Computing(Arrays.copyOf(values, values.length / 2), gradient, ready);
    }
  }

  private final int rank;
  private final Simulation simulation;
  private final SimulatedNetwork network;
  private final FaultCounts counts;
  private final EventQueue events;
  private final Schedule schedule;
  private final Deque<Runnable> evaluating = new ArrayDeque<>();

  private Computing computing = Computing.NOTHING;
  private long evaluatedNanos;
  private long evaluations;

  SimulatedComputing(
      int rank,
      Simulation simulation,
      SimulatedNetwork network,
      FaultCounts counts,
      EventQueue events,
      Schedule schedule) {
    this.rank = rank;
    this.simulation = simulation;
    this.network = network;
    this.counts = counts;
    this.events = events;
    this.schedule = schedule;
  }

  /**
   * Begins a gradient.
   *
   * @param values of the gradient, which takes them when it is ready
   */
  void compute(long round, float[] values, float[] gradient, Runnable ready) {
    // Readers of the gradient before must not find its values.
    Arrays.fill(gradient, Float.NaN);
    computing = new Computing(values, gradient, ready);
    double slowdown = network.faults().slowdown(rank);
    if (slowdown > 1) {
      counts.count(Effect.SLOWED);
    }
    long nanos = Math.round(simulation.computeTime().nanos(rank, round) * slowdown);
    schedule.at(events.nowNanos() + nanos, Event.Kind.GRADIENT);
  }

  /** Leaves off. The second half of the gradient stays NaN, and so does any sum that has it. */
  void drop() {
    computing = computing.half();
  }

  void gradientReady() {
    computing.end();
  }

  /** Begins an evaluation, behind those that are under way. */
  void evaluate(Runnable ready) {
    evaluating.add(ready);
    evaluatedNanos =
        Math.max(evaluatedNanos, events.nowNanos())
            + simulation.epochs().evaluation().nanos(rank, evaluations++);
    schedule.at(evaluatedNanos, Event.Kind.EVALUATED);
  }

  void evaluated() {
    evaluating.remove().run();
  }

  /** Forgets what is under way. */
  void crash() {
    computing = Computing.NOTHING;
    evaluating.clear();
  }
}
