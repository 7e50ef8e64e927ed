package dev.braid.chaos.sim.random;

import dev.braid.chaos.fault.Effect;
import dev.braid.chaos.sim.FaultCounts;
import dev.braid.chaos.sim.SimulationFailure;
import dev.braid.chaos.sim.SimulationResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Searches for mistakes: executes random runs ({@link RandomRun}) of consecutive seeds on all cores
 * until it is stopped, and counts what happens in them. {@code bench/search} starts it.
 *
 * <p>A run that fails is shrunk ({@link Minimiser}) and printed with the command that repeats it.
 * The exit code is 1 if a run failed or, in a long search of all kinds, if something that should
 * happen never did. It is 2 for an invalid option.
 */
public final class RandomSearch {

  private static final int FAILED = 1;
  private static final int USAGE = 2;
  private static final Duration PROGRESS_INTERVAL = Duration.ofSeconds(10);
  private static final double NANOS_PER_HOUR = 3_600e9;
  private static final long NANOS_PER_MINUTE = 60_000_000_000L;

  /** Number of runs below which something may never happen by chance. */
  private static final long ENOUGH_RUNS = 100_000;

  private static final int MOST_RANKS = 1 << 10;

  /** Maximum number of runs that are shrunk: after a grave mistake, most runs fail. */
  private static final int MOST_SHRUNK = 5;

  /** A user's mistake. */
  static final class InvalidOptionException extends Exception {
    private static final long serialVersionUID = 1;

    InvalidOptionException(String message) {
      super(message);
    }
  }

  private final RunChoice first;
  private final long runs;
  private final long nanos;
  private final long beginNanos = System.nanoTime();
  private final AtomicLong begun = new AtomicLong();

  // The fields below are guarded by this object.

  private final FaultCounts counts = new FaultCounts();
  private final Map<FaultRunKind, Long> kinds = new EnumMap<>(FaultRunKind.class);
  private final List<RunChoice> failures = new ArrayList<>();
  private long done;
  private long events;
  private double hours;

  /**
   * Creates a search.
   *
   * @param first first run; the others differ only in their seeds
   * @param runs maximum number of runs
   * @param nanos time after which no run begins, in nanoseconds
   */
  RandomSearch(RunChoice first, long runs, long nanos) {
    this.first = first;
    this.runs = runs;
    this.nanos = nanos;
  }

  /** Executes the runs, and prints their progress. */
  public static void main(String[] args) throws InterruptedException {
    RandomSearch search;
    try {
      search = of(args);
    } catch (InvalidOptionException e) {
      System.err.println("bench/search: " + e.getMessage());
      System.exit(USAGE);
      return;
    }
    int threads = (int) Math.min(search.runs, Runtime.getRuntime().availableProcessors());
    System.out.printf("# seeds from %d, %d threads%n", search.first.seed(), threads);
    Thread stopped = new Thread(() -> Runtime.getRuntime().halt(search.end()));
    Runtime.getRuntime().addShutdownHook(stopped);
    search.run(threads);
    Runtime.getRuntime().removeShutdownHook(stopped);
    System.exit(search.end());
  }

  /** Returns the search that options choose. */
  static RandomSearch of(String... args) throws InvalidOptionException {
    RunChoice first = RunChoice.of(System.currentTimeMillis());
    long runs = Long.MAX_VALUE;
    long minutes = Long.MAX_VALUE / NANOS_PER_MINUTE;
    for (int i = 0; i < args.length; i += 2) {
      String option = args[i];
      if (i + 1 == args.length) {
        throw new InvalidOptionException(option + ": needs a value");
      }
      String value = args[i + 1];
      switch (option) {
        case "--seed" ->
            first = first.withSeed(number(option, value, Long.MIN_VALUE, Long.MAX_VALUE));
        case "--runs" -> runs = number(option, value, 1, Long.MAX_VALUE);
        case "--minutes" -> minutes = number(option, value, 1, minutes);
        case "--kind" ->
            first =
                first.withKind(named(option, value, FaultRunKind.values(), FaultRunKind::title));
        case "--without" -> {
          Set<Feature> features = EnumSet.noneOf(Feature.class);
          for (String title : value.split(",", -1)) {
            features.add(named(option, title, Feature.values(), Feature::title));
          }
          first = first.without(features);
        }
        case "--ranks" -> first = first.withRanks((int) number(option, value, 1, MOST_RANKS));
        case "--only" -> {
          Set<Integer> only = new TreeSet<>();
          for (String event : value.equals("none") ? new String[0] : value.split(",", -1)) {
            only.add((int) number(option, event, 0, Integer.MAX_VALUE));
          }
          first = first.withOnly(only);
        }
        default ->
            throw new InvalidOptionException(
                option
                    + ": unknown; use --seed, --runs, --minutes, --kind, --without, --ranks or"
                    + " --only");
      }
    }
    return new RandomSearch(first, runs, minutes * NANOS_PER_MINUTE);
  }

  private static <T> T named(String option, String value, T[] all, Function<T, String> title)
      throws InvalidOptionException {
    return Arrays.stream(all)
        .filter(one -> title.apply(one).equals(value))
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidOptionException(
                    "%s %s: unknown; use one of %s"
                        .formatted(
                            option,
                            value,
                            Arrays.stream(all).map(title).collect(Collectors.joining(", ")))));
  }

  private static long number(String option, String value, long least, long most)
      throws InvalidOptionException {
    try {
      long number = Long.parseLong(value);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // The message is the same as for a number out of range.
    }
    throw new InvalidOptionException(
        "%s %s: must be a whole number%s"
            .formatted(
                option, value, least == Long.MIN_VALUE ? "" : " from " + least + " to " + most));
  }

  /** Executes the runs on this many threads, and returns when they are done. */
  void run(int threads) throws InterruptedException {
    List<Thread> workers = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Thread worker = new Thread(this::work, "search-" + i);
      worker.setDaemon(true);
      worker.start();
      workers.add(worker);
    }
    long nextNanos = PROGRESS_INTERVAL.toNanos();
    for (Thread worker : workers) {
      while (worker.isAlive()) {
        worker.join(Duration.ofMillis(100).toMillis());
        if (passedNanos() > nextNanos) {
          nextNanos += PROGRESS_INTERVAL.toNanos();
          System.out.println(progress());
        }
      }
    }
  }

  private long passedNanos() {
    return System.nanoTime() - beginNanos;
  }

  private void work() {
    for (long run = begun.getAndIncrement();
        run < runs && passedNanos() < nanos;
        run = begun.getAndIncrement()) {
      RunChoice choice = first.withSeed(first.seed() + run);
      try {
        RandomRun one = RandomRun.of(choice);
        if (runs == 1) {
          System.out.println(one);
        }
        passed(one.kind(), one.run());
      } catch (SimulationFailure e) {
        failed(choice, e.getMessage());
      } catch (RuntimeException | Error e) {
        failed(choice, e.toString());
      }
    }
  }

  private synchronized void passed(FaultRunKind kind, SimulationResult.Summary result) {
    done++;
    events += result.events();
    hours += result.endNanos() / NANOS_PER_HOUR;
    kinds.merge(kind, 1L, Long::sum);
    counts.add(result.faults());
  }

  private void failed(RunChoice choice, String what) {
    int number;
    synchronized (this) {
      done++;
      failures.add(choice);
      number = failures.size();
    }
    System.out.printf("FAILED: bench/search %s%n  %s%n", choice, what.indent(2).strip());
    if (number <= MOST_SHRUNK && choice.only().isEmpty()) {
      RunChoice least = new Minimiser(RandomRun::of).minimise(choice);
      RandomRun run = RandomRun.of(least);
      System.out.printf(
          "SHRUNK: bench/search %s%n  %s%n",
          run, run.failure().orElse("passed").lines().findFirst().orElse(""));
    }
  }

  RunChoice first() {
    return first;
  }

  /** Returns the runs that failed. */
  synchronized List<RunChoice> failures() {
    return List.copyOf(failures);
  }

  /** Returns the names of what should happen and did in no run. */
  synchronized List<String> neverHappened() {
    return counts.never();
  }

  private synchronized String progress() {
    double seconds = passedNanos() / 1e9;
    String faults =
        Arrays.stream(Effect.values())
            .map(effect -> effect.title() + " " + counts.of(effect))
            .collect(Collectors.joining(", "));
    return String.format(
        Locale.ROOT,
        "%.0f s: %d runs, %.0f/s, %.1f simulated hours, %d failed%s; %s",
        seconds,
        done,
        done / seconds,
        hours,
        failures.size(),
        failures.stream().limit(10).map(run -> " " + run.seed()).collect(Collectors.joining()),
        faults);
  }

  /** Prints the totals, and returns the exit code. */
  synchronized int end() {
    System.out.println(progress());
    System.out.printf(
        "%d runs passed, %d failed, seeds from %d to %d, %d events%n",
        done - failures.size(),
        failures.size(),
        first.seed(),
        first.seed() + Math.min(runs, begun.get()) - 1,
        events);
    System.out.println(
        "passed: "
            + kinds.entrySet().stream()
                .map(entry -> entry.getKey().title() + " " + entry.getValue())
                .collect(Collectors.joining(", ")));
    System.out.println("happened: " + counts);
    List<String> never = neverHappened();
    if (runs > 1 && !never.isEmpty()) {
      System.out.println("never happened: " + String.join(", ", never));
    }
    failures.forEach(run -> System.out.println("failed: bench/search " + run));
    System.out.flush();
    boolean isLong = done >= ENOUGH_RUNS && first.equals(RunChoice.of(first.seed()));
    return failures.isEmpty() && (!isLong || never.isEmpty()) ? 0 : FAILED;
  }
}
