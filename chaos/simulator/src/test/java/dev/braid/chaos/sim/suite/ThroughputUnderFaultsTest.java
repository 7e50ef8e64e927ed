package dev.braid.chaos.sim.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.event.Action;
import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.event.Start;
import dev.braid.chaos.event.Target;
import dev.braid.chaos.sim.check.UpdateCheck;
import dev.braid.chaos.sim.condition.ComputeTime;
import dev.braid.chaos.sim.condition.Seeds;
import dev.braid.chaos.sim.condition.SoundLinks;
import dev.braid.chaos.sim.condition.Stalls;
import dev.braid.chaos.sim.random.Partings;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.registry.ExchangeType;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Example;

/**
 * Measures the gradients per second of all ranks together, in 30 s, while links are cut, a rank is
 * isolated or a rank pauses. Prints the mean of several seeds; {@code -Dbraid.throughput.seeds}
 * sets their number.
 */
class ThroughputUnderFaultsTest extends AbsentRanks {

  private static final int RANKS = 8;
  private static final int LENGTH = 512;
  private static final long MEASURED_NANOS = 30_000 * MILLIS;
  private static final int SEEDS = Integer.getInteger("braid.throughput.seeds", 1);

  /** Faults of a run, with the least share that they must leave of the throughput without them. */
  private enum Fault {
    NONE(1),
    /** Cuts another link, in both directions, every 5 s for 3 s. */
    ONE_LINK(0.6),
    /** Isolates two ranks, one after the other, for 5 s each. */
    ISOLATED(0.65),
    /** Isolates the same rank four times, for 2 s each. */
    ISOLATED_BRIEFLY(0.55),
    /** Pauses one rank for 5 s. */
    PAUSED(0.85);

    private final double least;

    Fault(double least) {
      this.least = least;
    }

    private Stream<ChaosEvent> events(SplittableRandom random) {
      int rank = random.nextInt(RANKS);
      return switch (this) {
        case NONE, PAUSED -> Stream.of();
        case ONE_LINK ->
            IntStream.of(2_000, 7_000, 12_000, 17_000, 22_000, 27_000)
                .mapToObj(at -> cut(random.nextLong()).withStart(new Start.After(at)));
        case ISOLATED ->
            Stream.of(5_000, 17_000)
                .flatMap(
                    at -> Partings.isolate((rank + at / 1_000) % RANKS, at, at + 5_000).stream());
        case ISOLATED_BRIEFLY ->
            Stream.of(2_000, 8_000, 14_000, 20_000)
                .flatMap(at -> Partings.isolate(rank, at, at + 2_000).stream());
      };
    }

    private static ChaosEvent cut(long seed) {
      Target link = new Target.Drawn(seed, 1, Optional.of(Target.Among.ALL));
      return ChaosEvent.of(new Action.Cut(), link).withDuration(3_000);
    }
  }

  @UnderFaults
  @Example
  void gradientsPerSecond() {
    measure(ExchangeType.AKO, 0, 100, 700);
    measure(ExchangeType.ALL_TO_ALL, 0, 100, 700);
    measure(ExchangeType.GOSSIP, 0, 100, 700);
    measure(ExchangeType.AKO, 10, 30, 1_800);
  }

  private void measure(ExchangeType type, int minMillis, int maxMillis, int rounds) {
    double sound = 0;
    for (Fault fault : Fault.values()) {
      double sum = 0;
      for (int seed = 0; seed < SEEDS; seed++) {
        ComputeTime time = ComputeTime.uniform(seed, minMillis * MILLIS, maxMillis * MILLIS);
        sum += gradients(type, fault, time, rounds, seed);
      }
      double perSecond = sum / SEEDS * 1e9 / MEASURED_NANOS;
      sound = fault == Fault.NONE ? perSecond : sound;
      String run = "%s, %d to %d ms, %s".formatted(type, minMillis, maxMillis, fault);
      System.out.printf("%s: %.1f/s, %.3f%n", run, perSecond, perSecond / sound);
      assertThat(perSecond / sound).as("%s", run).isGreaterThanOrEqualTo(fault.least);
    }
  }

  /** Returns the number of gradients of all ranks; no rank reaches its last round meanwhile. */
  private long gradients(ExchangeType type, Fault fault, ComputeTime time, int rounds, long seed) {
    long paused = fault == Fault.PAUSED ? 5_000 * MILLIS : 0;
    Watcher watcher = new Watcher(UpdateCheck.NONE);
    tally.add(
        builder(type, ExchangeOptions.defaults(RANKS), watcher, RANKS, LENGTH, seed)
            .rounds(rounds)
            .chunkLength(LENGTH / 4)
            .bytesPerElement(3_200)
            .links(linkSeed -> SoundLinks.uniform(500_000, 125e6))
            .computeTime(time)
            .faults(fault.events(Seeds.of(seed, -60)).toList())
            .stalls(Stalls.once(1, 5_000 * MILLIS, 5_000 * MILLIS + paused))
            .build()
            .run());
    return watcher.nanos.stream().flatMap(List::stream).filter(at -> at < MEASURED_NANOS).count();
  }
}
