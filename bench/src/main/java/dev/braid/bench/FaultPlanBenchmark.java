package dev.braid.bench;

import dev.braid.chaos.event.Action;
import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.event.Link;
import dev.braid.chaos.event.Target;
import dev.braid.chaos.fault.FaultPlan;
import dev.braid.chaos.fault.MessageFates;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures how many events per second a fault plan accepts, if each event ends some milliseconds
 * later and other events are in force: the cost of a flood of events for one rank.
 *
 * <p>{@code bench/run org.openjdk.jmh.Main FaultPlanBenchmark}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 3, time = 2)
public class FaultPlanBenchmark {

  private static final long EVENT_NANOS = 100_000;

  @Param("64")
  int ranks;

  /** Number of link faults that are in force all the time. */
  @Param({"0", "1000", "9000"})
  int inForce;

  private FaultPlan<Integer> plan;
  private long nanos;
  private int next;

  /** Creates a plan in which some faults are in force. */
  @Setup(Level.Iteration)
  public void begin() {
    plan = new FaultPlan<>(ranks, 1, happening -> {}, new Nowhere());
    nanos = 0;
    for (next = 0; next < inForce; next++) {
      plan.accept(ChaosEvent.of(new Action.Drop(0.5), link(next)), 0);
    }
  }

  /** Accepts one event; events come at a rate of ten thousand per second of training. */
  @Benchmark
  public void event() {
    nanos += EVENT_NANOS;
    plan.accept(ChaosEvent.of(new Action.Delay(5, 5), link(next++)).withDuration(5), nanos);
  }

  private Target link(int number) {
    int from = number % ranks;
    int to = (from + 1 + number / ranks % (ranks - 1)) % ranks;
    return new Target.OfLink(new Link(from, to), false);
  }

  /** Fates of messages, of which there are none. */
  private static final class Nowhere implements MessageFates<Integer> {

    @Override
    public void arrive(Integer message, boolean corrupt, boolean again) {}

    @Override
    public void lost(Integer message) {}
  }
}
