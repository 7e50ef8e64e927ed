package dev.braid.bench.scale;

import dev.braid.chaos.shape.LinkShape;
import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.SimulationResult;
import dev.braid.chaos.sim.condition.ComputeTime;
import dev.braid.chaos.sim.condition.LinkModel;
import dev.braid.cost.BandwidthCost;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.async.AkoOptions;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.server.Consistency;
import dev.braid.exchange.server.ServerOptions;
import java.util.List;
import java.util.Locale;

/**
 * Simulates the duration of a round and each worker's traffic, by the number of workers, at a fixed
 * bandwidth, with the exchanges that run in Flink.
 *
 * <p>Every worker has a line of {@value #MEGABITS_PER_SECOND} Mbit/s. Messages take {@value
 * #LATENCY_MICROS} µs, a gradient {@value #GRADIENT_MILLIS} ms, and a model has {@value
 * #MODEL_FLOATS} parameters. So that a thousand models fit into memory, a simulated model has only
 * as many elements as the exchange has parts. Each element stands for many parameters, and has all
 * their bytes on the network.
 *
 * <p>Asynchronous parameter servers run next to every worker (n + n), or on a quarter (3n/4 + n/4)
 * or an eighth (7n/8 + n/8) of the ranks.
 *
 * <p>Usage: {@code ExchangesAtScale [WORKERS ...]}; 8, 16, … 1024 if none are given.
 */
public final class ExchangesAtScale {

  private static final int USAGE = 2;
  private static final int LEAST_WORKERS = 8;
  private static final int MOST_WORKERS = 1024;
  private static final int MODEL_FLOATS = 407_050;
  private static final long MODEL_BYTES = (long) MODEL_FLOATS * Float.BYTES;
  private static final int GRADIENT_MILLIS = 20;
  private static final int LATENCY_MICROS = 100;
  private static final int MEGABITS_PER_SECOND = 1000;
  private static final long NANOS_PER_MICRO = 1_000;
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double BYTES_PER_SECOND = MEGABITS_PER_SECOND * 1e6 / Byte.SIZE;

  /** Approximate number of messages of all rounds together; fewer workers simulate more rounds. */
  private static final int MESSAGES = 400_000;

  private static final int MOST_ROUNDS = 30;
  private static final int LEAST_ROUNDS = 2;

  /**
   * An exchange in the table.
   *
   * @param elements length of the simulated vector, by the number of workers
   * @param options options by the number of workers
   */
  record Subject(String title, ExchangeType type, Elements elements, Options options) {

    @FunctionalInterface
    interface Elements {
      int among(int workers);
    }

    @FunctionalInterface
    interface Options {
      ExchangeOptions among(int workers);
    }
  }

  /** The exchanges in the order of the table. */
  static final List<Subject> SUBJECTS =
      List.of(
          new Subject("ring", ExchangeType.RING, n -> n, ExchangeOptions::defaults),
          new Subject("all-to-all", ExchangeType.ALL_TO_ALL, n -> 1, ExchangeOptions::defaults),
          new Subject("ps:async", ExchangeType.PS, n -> n, n -> servers(n, 0)),
          new Subject("ps:async:n/4", ExchangeType.PS, n -> n / 4, n -> servers(n, n / 4)),
          new Subject("ps:async:n/8", ExchangeType.PS, n -> n / 8, n -> servers(n, n / 8)),
          new Subject("ako", ExchangeType.AKO, ExchangesAtScale::partitions, n -> ako(n)));

  /**
   * A line of the table.
   *
   * @param partitions p; 1 if the gradient is not partitioned
   * @param roundMillis time from one gradient of all workers to the next
   * @param bytesPerRound bytes that a worker sends per round
   */
  record Figures(int workers, int partitions, double roundMillis, double bytesPerRound) {
    double bytesPerSecond() {
      return bytesPerRound / roundMillis * 1000;
    }
  }

  private ExchangesAtScale() {}

  /** Prints a line for each number of workers and exchange, as soon as it has been simulated. */
  public static void main(String[] args) {
    int[] sizes = {8, 16, 32, 64, 128, 256, 512, MOST_WORKERS};
    try {
      if (args.length > 0) {
        sizes = List.of(args).stream().mapToInt(ExchangesAtScale::workers).toArray();
      }
    } catch (NumberFormatException e) {
      System.err.printf(
          "usage: ExchangesAtScale [WORKERS ...], each from %d to %d%n",
          LEAST_WORKERS, MOST_WORKERS);
      System.exit(USAGE);
    }
    System.out.printf(
        Locale.ROOT,
        "# a model of %,d parameters (%.2f MB), a gradient in %d ms, lines of %d Mbit/s, latency"
            + " %d µs%n# asynchronous rounds: one gradient of each worker; ako: p by its cost model%n",
        MODEL_FLOATS,
        MODEL_BYTES / 1e6,
        GRADIENT_MILLIS,
        MEGABITS_PER_SECOND,
        LATENCY_MICROS);
    System.out.println("workers  exchange          p   ms/round   MB/round/worker   MB/s/worker");
    for (int workers : sizes) {
      for (Subject subject : SUBJECTS) {
        Figures figures = measure(subject, workers);
        System.out.printf(
            Locale.ROOT,
            "%7d  %-13s %5d  %9.1f  %16.2f  %12.1f%n",
            workers,
            subject.title(),
            figures.partitions(),
            figures.roundMillis(),
            figures.bytesPerRound() / 1e6,
            figures.bytesPerSecond() / 1e6);
      }
    }
  }

  private static int workers(String text) {
    int workers = Integer.parseInt(text);
    if (workers < LEAST_WORKERS || workers > MOST_WORKERS) {
      throw new NumberFormatException(text);
    }
    return workers;
  }

  /** Returns Ako's choice of p, if it always measures the given gradient rate and bandwidth. */
  static int partitions(int workers) {
    return BandwidthCost.partitions(
        NANOS_PER_SECOND / (GRADIENT_MILLIS * NANOS_PER_MILLI),
        MODEL_BYTES,
        workers,
        BYTES_PER_SECOND);
  }

  /**
   * Returns the options of Ako without accumulation, which changes the contents of messages, but
   * not their number or size.
   */
  private static ExchangeOptions ako(int workers) {
    return ExchangeOptions.defaults(workers)
        .with(new AkoOptions(partitions(workers), false, BYTES_PER_SECOND));
  }

  /**
   * Returns the options of parameter servers, either next to every worker or on {@code dedicated}
   * separate ranks.
   */
  private static ExchangeOptions servers(int ranks, int dedicated) {
    return ExchangeOptions.defaults(ranks).with(new ServerOptions(dedicated, Consistency.ASYNC));
  }

  static Figures measure(Subject subject, int workers) {
    int elements = subject.elements().among(workers);
    int peers = subject.type() == ExchangeType.PS ? elements : workers - 1;
    int rounds = Math.max(LEAST_ROUNDS, Math.min(MOST_ROUNDS, MESSAGES / (workers * peers)));
    SimulationResult result =
        Simulation.of(subject.type()::create, workers, elements)
            .options(subject.options().among(workers))
            .bytesPerElement((double) MODEL_BYTES / elements)
            .rounds(rounds)
            .links(seed -> LinkModel.INSTANT)
            .shape(new LinkShape(BYTES_PER_SECOND, LATENCY_MICROS * NANOS_PER_MICRO))
            .computeTime(ComputeTime.constant(GRADIENT_MILLIS * NANOS_PER_MILLI))
            .build()
            .run();
    // All rounds are measured together, because asynchronous rounds overlap. The time at the end,
    // until all messages are delivered, replaces the time at the beginning, while the first
    // gradient is computed.
    long overlap =
        subject.type().isSynchronous(subject.options().among(workers))
            ? 0
            : GRADIENT_MILLIS * NANOS_PER_MILLI;
    double roundNanos = (double) (result.endNanos() - overlap) / rounds;
    // Rank 0 computes in every exchange, and sends as much as any other rank that does.
    double bytes = (double) result.traffic().bytesSentBy(0) / rounds;
    int partitions = subject.type() == ExchangeType.AKO ? elements : 1;
    return new Figures(workers, partitions, roundNanos / NANOS_PER_MILLI, bytes);
  }
}
