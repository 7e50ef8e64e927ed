package dev.braid.chaos.sim;

import dev.braid.chaos.fault.Effect;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/** A rank's compute thread in virtual time: computes a gradient, and evaluations one by one. */
final class SimulatedComputing {

  /** Schedules an event of the rank. */
  interface Schedule {
    void at(long nanos, Event.Kind kind);
  }

  /** A gradient that is being computed, from the first element to the last. */
  private record Computing(float[] values, float[] gradient, Runnable ready) {
    static final Computing NOTHING = new Computing(new float[0], new float[0], () -> {});

    void end() {
      System.arraycopy(values, 0, gradient, 0, values.length);
      ready.run();
    }

    /** Returns the same gradient, cancelled halfway. */
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
   * @param values values of the gradient
   * @param gradient array that takes the values when the gradient is ready
   */
  void compute(long round, float[] values, float[] gradient, Runnable ready) {
    // Makes a reader that is too early find NaN.
    Arrays.fill(gradient, Float.NaN);
    computing = new Computing(values, gradient, ready);
    double slowdown = network.faults().slowdown(rank);
    if (slowdown > 1) {
      counts.count(Effect.SLOWED);
    }
    long nanos = Math.round(simulation.computeTime().nanos(rank, round) * slowdown);
    schedule.at(events.nowNanos() + nanos, Event.Kind.GRADIENT);
  }

  /** Cancels the gradient. Its second half stays NaN, and so does any sum that contains it. */
  void drop() {
    computing = computing.half();
  }

  void gradientReady() {
    computing.end();
  }

  /** Begins an evaluation after those in progress. */
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

  /** Forgets the gradient and the evaluations in progress. */
  void crash() {
    computing = Computing.NOTHING;
    evaluating.clear();
  }
}
