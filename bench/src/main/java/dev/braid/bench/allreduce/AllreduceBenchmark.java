package dev.braid.bench.allreduce;

import dev.braid.bench.Stats;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.registry.ExchangeType;
import java.util.Locale;
import java.util.Optional;

/**
 * Measures an allreduce over the loop, in an embedded Flink: the slowest rank's time in each round.
 *
 * <p>Usage: {@code AllreduceBenchmark EXCHANGE RANKS LENGTH [ROUNDS]}. It prints a line in the
 * format of the MPI program: ranks, length, median, minimum and maximum in milliseconds. A second
 * line has the costs of a round.
 */
public final class AllreduceBenchmark {

  private static final int DEFAULT_ROUNDS = 300;

  private AllreduceBenchmark() {}

  /** Runs one measurement. */
  public static void main(String[] args) throws Exception {
    Optional<ExchangeType> exchange =
        args.length < 3 ? Optional.empty() : ExchangeType.named(args[0]);
    if (exchange.isEmpty()) {
      System.err.println(
          "usage: AllreduceBenchmark EXCHANGE RANKS LENGTH [ROUNDS], with an exchange of "
              + ExchangeType.titles());
      System.exit(2);
    }
    int ranks = Integer.parseInt(args[1]);
    int length = Integer.parseInt(args[2]);
    int rounds = args.length > 3 ? Integer.parseInt(args[3]) : DEFAULT_ROUNDS;
    AllreduceRun run =
        new AllreduceRun(
            exchange.orElseThrow(),
            ExchangeOptions.defaults(ranks),
            ranks,
            length,
            Optional.empty());
    AllreduceRun.Measured measured = run.measure(rounds, rounds);
    Stats millis = Stats.of(measured.millis());
    System.out.printf(
        Locale.ROOT,
        "%d %d %.3f %.3f %.3f%n",
        ranks,
        length,
        millis.median(),
        millis.min(),
        millis.max());
    System.out.println(measured.costs().describe(rounds));
  }
}
