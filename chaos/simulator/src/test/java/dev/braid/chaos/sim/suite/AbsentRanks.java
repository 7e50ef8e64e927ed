package dev.braid.chaos.sim.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.fault.Effect;
import dev.braid.chaos.sim.FaultCounts.Response;
import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.SimulationResult;
import dev.braid.chaos.sim.check.GradientDelivery;
import dev.braid.chaos.sim.check.UpdateCheck;
import dev.braid.chaos.sim.condition.ComputeTime;
import dev.braid.chaos.sim.condition.Gradients;
import dev.braid.chaos.sim.condition.Seeds;
import dev.braid.chaos.sim.condition.SoundLinks;
import dev.braid.chaos.sim.random.Partings;
import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Port;
import dev.braid.exchange.Update;
import dev.braid.exchange.async.AkoOptions;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.registry.ExchangeType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Runs of asynchronous exchanges while a rank is unreachable. */
abstract class AbsentRanks implements Faulty {

  static final long MILLIS = 1_000_000;
  private static final int MAX_COMPUTE_MILLIS = 100;
  static final int ROUNDS = 250;
  static final int STALENESS = 2;
  static final int BEGIN_MILLIS = 1_000;
  static final int END_MILLIS = 6_000;

  /** An exchange with its options. */
  enum Case {
    AKO_WHOLE(ExchangeType.AKO, 1),
    AKO_HALVES(ExchangeType.AKO, 2),
    AKO_MANY(ExchangeType.AKO, 5),
    AKO_MEASURED(ExchangeType.AKO, 0),
    ALL_TO_ALL(ExchangeType.ALL_TO_ALL, 1),
    GOSSIP(ExchangeType.GOSSIP, 0);

    @SuppressWarnings("ImmutableEnumChecker") // an exchange by name: nothing in it changes
    final ExchangeType exchange;

    final int partitions;

    Case(ExchangeType exchange, int partitions) {
      this.exchange = exchange;
      this.partitions = partitions;
    }

    ExchangeOptions options(int ranks) {
      return ExchangeOptions.defaults(ranks)
          .with(ExchangeOptions.STALENESS, STALENESS)
          .with(new AkoOptions(partitions, true, 0));
    }

    /**
     * Returns by how many gradients a rank may be ahead of any other; 0 if that changes, or
     * concerns only some ranks.
     */
    int bound() {
      return switch (this) {
        case AKO_MEASURED, GOSSIP -> 0;
        default -> partitions + STALENESS;
      };
    }

    UpdateCheck check(int ranks, int length) {
      return check(ranks, length, ROUNDS);
    }

    UpdateCheck check(int ranks, int length, int rounds) {
      return this == GOSSIP
          ? UpdateCheck.NONE
          : new GradientDelivery(ranks, length, 0, rounds, rounds);
    }
  }

  final FaultTally tally = new FaultTally();

  @Override
  public FaultTally tally() {
    return tally;
  }

  /** No effect is required: examples cut links or isolate a rank; properties isolate ranks. */
  @Override
  public Set<Effect> effects() {
    return Set.of();
  }

  @Override
  public Set<Response> responses() {
    return Set.of(Response.RETRANSMITTED, Response.LEFT_OUT, Response.REJOINED);
  }

  /** Times when each rank has contributed. */
  record Run(List<List<Long>> nanos, SimulationResult result) {

    long gradients(int rank, long fromMillis, long toMillis) {
      return nanos.get(rank).stream()
          .filter(at -> at >= fromMillis * MILLIS && at < toMillis * MILLIS)
          .count();
    }

    /**
     * Returns the greatest number of gradients by which a rank was ahead of another when it began
     * one, without one of the ranks.
     */
    long worstLeadBut(int one) {
      List<List<Long>> counted =
          IntStream.range(0, nanos.size()).filter(i -> i != one).mapToObj(nanos::get).toList();
      long worst = 0;
      for (List<Long> ahead : counted) {
        for (List<Long> behind : counted) {
          for (int round = 0; round < ahead.size(); round++) {
            long at = ahead.get(round);
            worst = Math.max(worst, round - behind.stream().filter(other -> other <= at).count());
          }
        }
      }
      return worst;
    }
  }

  /** Notes when each rank contributes, in addition to another check. */
  static class Watcher implements UpdateCheck {

    private final UpdateCheck check;
    final List<List<Long>> nanos = new ArrayList<>();
    private Port clock;

    Watcher(UpdateCheck check) {
      this.check = check;
    }

    final Port clock() {
      return clock;
    }

    @Override
    public void contributing(int rank, Contribution contribution) {
      check.contributing(rank, contribution);
      nanos.get(rank).add(clock.nowNanos());
    }

    @Override
    public void receiving(int rank, Message message) {
      check.receiving(rank, message);
    }

    @Override
    public void updated(int rank, long round, Update update) {
      check.updated(rank, round, update);
    }

    @Override
    public void completed(int rank, long round) {
      check.completed(rank, round);
    }

    @Override
    public void quiet() {
      check.quiet();
    }

    @Override
    public void restored(int rank) {
      check.restored(rank);
    }

    @Override
    public void ended(int rank) {
      check.ended(rank);
    }
  }

  Run run(Case exchange, int ranks, long seed, List<ChaosEvent> faults) {
    int length = length(seed);
    Watcher watcher = new Watcher(exchange.check(ranks, length));
    SimulationResult result =
        tally.add(
            builder(exchange.exchange, exchange.options(ranks), watcher, ranks, length, seed)
                .faults(faults)
                .build()
                .run());
    assertThat(result.rounds()).isEqualTo(ROUNDS);
    assertThat(result.unreleased()).as("slices not released").isZero();
    return new Run(watcher.nanos, result);
  }

  static int length(long seed) {
    return 1 + Seeds.of(seed, -50).nextInt(60);
  }

  static Simulation.Builder builder(Case exchange, int ranks, long seed) {
    int length = length(seed);
    Watcher watcher = new Watcher(exchange.check(ranks, length));
    return builder(exchange.exchange, exchange.options(ranks), watcher, ranks, length, seed);
  }

  static Simulation.Builder builder(
      ExchangeType type,
      ExchangeOptions options,
      Watcher watcher,
      int ranks,
      int length,
      long seed) {
    Stream.generate(() -> new ArrayList<Long>()).limit(ranks).forEach(watcher.nanos::add);
    return Simulation.of(
            (config, port) -> {
              watcher.clock = port;
              return type.create(config, port);
            },
            ranks,
            length)
        .options(options)
        .chunkLength(1 + Seeds.of(seed, -51).nextInt(length))
        .rounds(ROUNDS)
        .seed(seed)
        .links(linkSeed -> new SoundLinks(linkSeed, Partings.LINKS))
        .computeTime(ComputeTime.uniform(seed, 0, MAX_COMPUTE_MILLIS * MILLIS))
        .gradients(Gradients.wholeNumbers(seed, length, Gradients.Samples.upTo(seed, 9)))
        .check(() -> watcher)
        .maxEvents(20_000_000);
  }

  static List<ChaosEvent> between(List<Integer> some, List<Integer> others) {
    return Partings.between(some, others, BEGIN_MILLIS, END_MILLIS);
  }
}
