package dev.braid.chaos.sim.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.event.Schedule.Faults;
import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.check.UpdateCheck;
import dev.braid.chaos.sim.condition.ComputeTime;
import dev.braid.chaos.sim.condition.Seeds;
import dev.braid.chaos.sim.condition.SoundLinks;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Figure;
import dev.braid.exchange.Measured;
import dev.braid.exchange.Port;
import dev.braid.exchange.Update;
import dev.braid.exchange.async.AkoOptions;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.runner.ExchangeFactory;
import dev.braid.exchange.runner.ExchangeRunner;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/**
 * Tests the number of vectors that Ako keeps at a rank in addition to its model: at most min(p, n −
 * 1) + 2. If p changed less than p rounds ago, or a peer is away: one for each peer, plus two.
 */
class AkoMemoryTest implements Faulty {

  private static final int ROUNDS = 80;
  private static final long MILLIS = 1_000_000;

  private final FaultTally tally = new FaultTally();

  @Override
  public FaultTally tally() {
    return tally;
  }

  @Provide
  Arbitrary<Scenario> scenarios() {
    return Scenario.arbitrary(16, 100, 12);
  }

  /** Scenarios that are long enough for several changes of p. */
  @Provide
  Arbitrary<Scenario> longScenarios() {
    return Scenario.arbitrary(8, 100, ROUNDS);
  }

  @Property(tries = 100)
  void aFixedP_keepsToTheBound(
      @ForAll("scenarios") Scenario scenario, @ForAll @IntRange(min = 1, max = 20) int p) {
    Memory memory = new Memory(scenario.ranks());
    long events = memory.watch(scenario, p).build().run().events();
    long[] moments = Seeds.of(scenario.seed(), -40).longs(3, 0, events).toArray();
    memory.watch(scenario, p).checkpointsAfterEvents(moments).build().run();

    assertThat(memory.most).isLessThanOrEqualTo(Math.min(p, scenario.ranks() - 1) + 2);
  }

  @Property(tries = 60)
  void whilePChanges_noMoreThanOneForEachPeer_andThenTheBoundAgain(
      @ForAll("longScenarios") Scenario scenario) {
    Memory memory = new Memory(scenario.ranks());
    memory.watch(scenario, 0).build().run();

    assertThat(memory.most).isLessThanOrEqualTo(scenario.ranks() + 1);
    assertThat(memory.mostBeyondTheBound).as("beyond min(p, n - 1) + 2").isNotPositive();
  }

  @UnderFaults
  @Property(tries = 100)
  void amongFaults_noMoreThanOneForEachPeer(
      @ForAll("scenarios") Scenario scenario, @ForAll @IntRange(min = 1, max = 20) int p) {
    Memory memory = new Memory(scenario.ranks());
    Simulation.Builder watched = memory.watch(memory::create, scenario, p);
    tally.add(FaultRuns.under(Faults.ANY, watched).build().run());

    assertThat(memory.most).isLessThanOrEqualTo(scenario.ranks() + 1);
  }

  /** p begins with n − 1 = 7 and becomes 1: accumulators of seven peers become one. */
  @Example
  void aSmallerP_needsLessMemory() {
    Memory memory = new Memory(8);
    Simulation.of(memory::create, 8, 1_000)
        .rounds(300)
        .links(seed -> SoundLinks.uniform(1_000, 1e9))
        .computeTime(ComputeTime.constant(10 * MILLIS))
        .check(() -> memory)
        .build()
        .run();

    assertThat(memory.most).isEqualTo(7 + 1);
    assertThat(memory.exchanges).allMatch(exchange -> kept(exchange) == 1 + 1);
    assertThat(memory.mostBeyondTheBound).isNotPositive();
  }

  private static int kept(Measured exchange) {
    return (int) exchange.figures().get(Figure.KEPT_VECTORS);
  }

  /** Checks the number of vectors before each message and after each update and round. */
  private static final class Memory implements UpdateCheck {

    private final List<Measured> exchanges = new ArrayList<>();

    /** By rank: the last value of p, and the round in which it was first seen. */
    private final int[] partitions;

    private final long[] changed;

    private int most;

    /**
     * Greatest excess over min(p, n − 1) + 2 if p has been in force for p rounds; negative if
     * below.
     */
    private int mostBeyondTheBound = Integer.MIN_VALUE;

    Memory(int ranks) {
      partitions = new int[ranks];
      changed = new long[ranks];
      for (int rank = 0; rank < ranks; rank++) {
        exchanges.add(null);
      }
    }

    ExchangeRunner create(ExchangeConfig config, Port port) {
      ExchangeRunner exchange = ExchangeType.AKO.create(config, port);
      exchanges.set(config.rank(), exchange);
      return exchange;
    }

    Simulation.Builder watch(Scenario scenario, int p) {
      return watch(this::create, scenario, p);
    }

    Simulation.Builder watch(ExchangeFactory exchange, Scenario scenario, int p) {
      ExchangeOptions options =
          ExchangeOptions.defaults(scenario.ranks())
              .with(ExchangeOptions.STALENESS, scenario.staleness())
              .with(new AkoOptions(p, true, 0));
      return scenario.asynchronous(exchange, options, () -> this);
    }

    private int look(int rank) {
      int kept = kept(exchanges.get(rank));
      most = Math.max(most, kept);
      return kept;
    }

    @Override
    public void receiving(int rank, Message message) {
      look(rank);
    }

    @Override
    public void updated(int rank, long round, Update update) {
      look(rank);
    }

    @Override
    public void completed(int rank, long round) {
      int p = (int) exchanges.get(rank).figures().get(Figure.PARTITIONS);
      if (p != partitions[rank]) {
        partitions[rank] = p;
        changed[rank] = round;
      }
      int kept = look(rank);
      if (round >= changed[rank] + p) {
        int bound = Math.min(p, partitions.length - 1) + 2;
        mostBeyondTheBound = Math.max(mostBeyondTheBound, kept - bound);
      }
    }
  }
}
