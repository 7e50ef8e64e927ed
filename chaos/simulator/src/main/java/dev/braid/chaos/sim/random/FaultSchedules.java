package dev.braid.chaos.sim.random;

import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.event.Schedule;
import dev.braid.chaos.event.Schedule.Faults;
import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.condition.Seeds;
import java.util.List;
import java.util.SplittableRandom;

/** Random schedules of link faults for simulations. */
public final class FaultSchedules {

  private static final long NANOS_PER_MILLI = 1_000_000;

  /** Maximum mean number of faults for each rank: about twice the links of a backup tree. */
  private static final int MAX_FAULTS_PER_RANK = 5;

  private FaultSchedules() {}

  /**
   * Returns a schedule with a mean number of faults between the number of ranks and about twice the
   * number of links. All of them begin while the simulation is running, however fast its network
   * is; if its exchange does not wait for stragglers, while it would run if it did. The schedule is
   * drawn from the simulation's seed.
   */
  public static List<ChaosEvent> of(Simulation simulation, Faults faults) {
    int ranks = simulation.ranks();
    if (ranks == 1) {
      return List.of();
    }
    SplittableRandom random = Seeds.of(simulation.seed(), -31);
    long leastMillis = Math.max(1, leastNanos(simulation) / NANOS_PER_MILLI);
    long horizonMillis = Seeds.between(random, (leastMillis + 3) / 4, leastMillis);
    int expected = ranks + random.nextInt((MAX_FAULTS_PER_RANK - 1) * ranks);
    long faultMillis = 1 + horizonMillis * random.nextInt(25, 100) / 100;
    double perSecond = 1e3 * expected / horizonMillis;
    return new Schedule(simulation.seed(), ranks, perSecond, horizonMillis, faultMillis, faults)
        .events();
  }

  /**
   * Returns the least time of a run that waits for all ranks, in nanoseconds: the slowest rank
   * computes its gradients one by one, in the rounds in which it has samples.
   */
  static long leastNanos(Simulation simulation) {
    long slowest = 0;
    for (int rank = 0; rank < simulation.workers(); rank++) {
      long nanos = 0;
      for (int round = 0; round < simulation.rounds(); round++) {
        boolean isEmpty = simulation.gradients().of(rank, round).samples() == 0;
        nanos += isEmpty ? 0 : simulation.computeTime().nanos(rank, round);
      }
      slowest = Math.max(slowest, nanos);
    }
    return slowest;
  }
}
