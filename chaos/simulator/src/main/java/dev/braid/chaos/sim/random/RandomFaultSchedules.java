package dev.braid.chaos.sim.random;

import dev.braid.chaos.fault.Effect;
import dev.braid.chaos.sim.FaultCounts;
import dev.braid.chaos.sim.FaultCounts.Disturbance;
import dev.braid.chaos.sim.FaultCounts.Response;
import dev.braid.chaos.sim.SimulationFailure;
import dev.braid.chaos.sim.SimulationResult;
import dev.braid.chaos.sim.condition.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Many runs under random fault schedules ({@link RandomFaultRun}), on all cores, with their results
 * and the number of effects of each kind of fault.
 *
 * <p>Usage: {@code RandomFaultSchedules RUNS [SEED [THREADS [KIND]]]} draws the runs from a master
 * seed, of all kinds or of one; {@code RandomFaultSchedules --seed N [KIND]} repeats one of them.
 * The exit code is 1 if a run failed, or if at least a thousand runs were done and a kind of fault
 * had no effect in any of them.
 */
public final class RandomFaultSchedules {

  private static final int FAILED = 1;
  private static final int USAGE = 2;
  private static final Duration PROGRESS_INTERVAL = Duration.ofSeconds(5);

  /** Number of runs below which a kind of fault may have no effect by chance. */
  private static final int ENOUGH_RUNS = 1_000;

  /** A run that failed. */
  record Failure(long seed, String what) {}

  private final long runs;
  private final long masterSeed;
  private final Optional<FaultRunKind> kind;
  private final AtomicLong begun = new AtomicLong();

  // The fields below are guarded by this object.

  private final FaultCounts counts = new FaultCounts();
  private final Map<FaultRunKind, Long> kinds = new EnumMap<>(FaultRunKind.class);
  private final List<Failure> failures = new ArrayList<>();
  private long done;
  private long events;

  RandomFaultSchedules(long runs, long masterSeed) {
    this(runs, masterSeed, Optional.empty());
  }

  RandomFaultSchedules(long runs, long masterSeed, Optional<FaultRunKind> kind) {
    this.runs = runs;
    this.masterSeed = masterSeed;
    this.kind = kind;
  }

  /** Executes the runs, and prints their progress. */
  public static void main(String[] args) throws InterruptedException {
    if (args.length >= 2 && args.length <= 3 && args[0].equals("--seed")) {
      doAgain(number(args[1], Long.MIN_VALUE), kind(args, 2));
      return;
    }
    if (args.length < 1 || args.length > 4) {
      throw usage();
    }
    long runs = number(args[0], 1);
    long seed = args.length > 1 ? number(args[1], Long.MIN_VALUE) : 1;
    long threads =
        args.length > 2 ? number(args[2], 1) : Runtime.getRuntime().availableProcessors();
    System.out.printf("# %d runs, master seed %d, %d threads%n", runs, seed, threads);
    RandomFaultSchedules all = new RandomFaultSchedules(runs, seed, kind(args, 3));
    all.run((int) threads);
    all.report();
    if (!all.failures().isEmpty()
        || (runs >= ENOUGH_RUNS && args.length < 4 && !all.neverHappened().isEmpty())) {
      System.exit(FAILED);
    }
  }

  private static Optional<FaultRunKind> kind(String[] args, int index) {
    if (args.length <= index) {
      return Optional.empty();
    }
    return Optional.of(
        Stream.of(FaultRunKind.values())
            .filter(kind -> kind.title().equals(args[index]))
            .findFirst()
            .orElseThrow(RandomFaultSchedules::usage));
  }

  private static void doAgain(long seed, Optional<FaultRunKind> kind) {
    RandomFaultRun run = new RandomFaultRun(seed, kind);
    System.out.println(run);
    try {
      SimulationResult result = run.run();
      System.out.printf("passed: %d events; %s%n", result.events(), result.faults());
    } catch (SimulationFailure e) {
      System.out.println("FAILED: " + e.getMessage());
      System.exit(FAILED);
    }
  }

  private static long number(String text, long least) {
    try {
      long number = Long.parseLong(text);
      if (number >= least) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw usage();
    }
    throw usage();
  }

  @SuppressWarnings("DoNotCallSuggester")
  private static AssertionError usage() {
    System.err.println(
        "usage: RandomFaultSchedules RUNS [SEED [THREADS [KIND]]] | --seed N [KIND]");
    System.exit(USAGE);
    return new AssertionError();
  }

  /** Executes all runs on this many threads, and returns when they are done. */
  void run(int threads) throws InterruptedException {
    long beginNanos = System.nanoTime();
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    for (int i = 0; i < threads; i++) {
      pool.execute(this::work);
    }
    pool.shutdown();
    while (!pool.awaitTermination(PROGRESS_INTERVAL.toSeconds(), TimeUnit.SECONDS)) {
      progress(System.nanoTime() - beginNanos);
    }
    progress(System.nanoTime() - beginNanos);
  }

  private void work() {
    for (long i = begun.getAndIncrement(); i < runs; i = begun.getAndIncrement()) {
      long seed = Seeds.mix(masterSeed, i);
      try {
        RandomFaultRun run = new RandomFaultRun(seed, kind);
        passed(run.kind(), run.run());
      } catch (SimulationFailure e) {
        failed(seed, e.getMessage());
      } catch (RuntimeException | Error e) {
        failed(seed, e.toString());
      }
    }
  }

  private synchronized void passed(FaultRunKind kind, SimulationResult result) {
    done++;
    events += result.events();
    kinds.merge(kind, 1L, Long::sum);
    counts.add(result.faults());
  }

  private synchronized void failed(long seed, String what) {
    done++;
    failures.add(new Failure(seed, what));
    System.out.printf(
        "FAILED seed %d: %s%n  again: bench/run %s --seed %d %s%n",
        seed,
        what.lines().findFirst().orElse(""),
        RandomFaultSchedules.class.getName(),
        seed,
        kind.map(FaultRunKind::title).orElse(""));
  }

  private synchronized void progress(long nanos) {
    System.out.printf(
        Locale.ROOT,
        "%.0f s: %d runs, %.1f runs/s, %d failed%n",
        nanos / 1e9,
        done,
        done / (nanos / 1e9),
        failures.size());
  }

  synchronized List<Failure> failures() {
    return List.copyOf(failures);
  }

  synchronized long done() {
    return done;
  }

  /**
   * Returns the names of the effects of faults, responses and disturbances that occurred in no run.
   */
  synchronized List<String> neverHappened() {
    Stream<String> effects =
        Stream.of(Effect.values()).filter(effect -> counts.of(effect) == 0).map(Effect::title);
    Stream<String> responses =
        Stream.of(Response.values())
            .filter(response -> counts.of(response) == 0)
            .map(Response::title);
    Stream<String> disturbances =
        Stream.of(Disturbance.values())
            .filter(what -> counts.of(what) == 0)
            .map(Disturbance::title);
    return Stream.of(effects, responses, disturbances).flatMap(names -> names).toList();
  }

  /** Prints the sums. */
  synchronized void report() {
    String exchanges =
        kinds.entrySet().stream()
            .map(entry -> entry.getKey().title() + " " + entry.getValue())
            .collect(Collectors.joining(", "));
    System.out.printf(
        "%d runs passed, %d failed, %d events%n", done - failures.size(), failures.size(), events);
    System.out.println("passed: " + exchanges);
    System.out.println("faults: " + counts);
    if (!neverHappened().isEmpty()) {
      System.out.println("never happened: " + String.join(", ", neverHappened()));
    }
    failures.forEach(failure -> System.out.println("failed: seed " + failure.seed()));
  }
}
