package dev.braid.job.options;

import dev.braid.coding.CodeTree;
import dev.braid.cost.CodedPlan;
import dev.braid.cost.CodedPlanner;
import dev.braid.cost.GradientTimes;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.coded.CodedOptions;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.files.PlacedFile;
import dev.braid.job.console.UsageException;
import dev.braid.run.result.InvalidHistoryException;
import dev.braid.run.result.MeasuredTimes;
import dev.braid.run.result.Outcome;
import dev.braid.run.result.RunHistory;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * The tree and the number of stragglers of {@code coded}, chosen from the times of gradients and
 * answers in an earlier run so that the expected time of a round is least. (CodedReduce §V leaves
 * the choice open.)
 *
 * <p>The times come from an earlier run instead of a probe at the start of this run, for two
 * reasons. Which workers straggle, and how often, shows only over thousands of rounds on the
 * machines that train. And the samples of each worker must be known before the first round. The
 * choice is stored in the run's options as if it had been typed, so that a run restored from its
 * checkpoints has the same tree.
 *
 * @param chosen the choice, with the expected time of a round
 * @param usual the tree that a run has by default
 * @param plain the best tree without redundancy
 */
record PlannedTree(
    String history, CodedPlan chosen, CodedPlan usual, CodedPlan plain, MeasuredTimes times) {

  private static final String KEY = "--exchange coded: " + CodedOptions.PLAN_FROM;
  private static final String OPTION = KEY + "=";

  /** Exchanges in which workers answer a parent. */
  private static final Set<String> ANSWERING =
      Set.of("coded", "gradient-coding", "uncoded", "drop-stragglers");

  private static final String HISTORY = "history.jsonl";

  /** Constant, so that the same times lead to the same choice. */
  private static final long SEED = 1;

  private static final int ROUNDS_OF_PLAIN = 512;
  private static final double MILLIS = 1e3;

  /**
   * Chooses the tree.
   *
   * @param place a run's folder, or its history
   * @param options with the run's workers and batch
   * @param model as typed
   * @throws UsageException if there is no such run with times, or it had other options
   */
  static PlannedTree from(String place, ExchangeOptions options, String model) {
    PlacedFile file = file(place);
    RunHistory history = history(file);
    String exchange = history.head().option("exchange").orElse("").split(":", 2)[0];
    if (!ANSWERING.contains(exchange)) {
      throw mistake(
          place,
          ("was a run of %s, in which no worker is a parent: the run must be of coded, "
                  + "gradient-coding, uncoded or drop-stragglers")
              .formatted(exchange));
    }
    checkSame(place, "model", history, model);
    checkSame(place, "batch", history, TrainOptions.typedBatch(options.batch()));
    MeasuredTimes times =
        history
            .outcome()
            .flatMap(Outcome::times)
            .filter(MeasuredTimes::hasAllWorkers)
            .orElseThrow(
                () -> mistake(place, "has no times of gradients: the run must have ended"));
    if (times.secondsOfAll().size() != options.workers()) {
      throw mistake(
          place,
          "was a run of %d workers, and this one has %d"
              .formatted(times.secondsOfAll().size(), options.workers()));
    }
    checkPossible(place, times);
    return plan(file.place(), times, options);
  }

  private static PlacedFile file(String place) {
    boolean isFile =
        Validation.isLocal(KEY, place)
            ? !Files.isDirectory(Validation.localPath(place))
            : place.endsWith(".jsonl");
    return isFile ? new PlacedFile(place) : PlacedFile.in(place, HISTORY);
  }

  private static PlannedTree plan(String file, MeasuredTimes times, ExchangeOptions options) {
    int workers = options.workers();
    CodedPlanner planner =
        new CodedPlanner(
            GradientTimes.measured(times.byWorker()),
            times.messageSeconds(),
            () -> new SplittableRandom(SEED));
    CodedPlan plain =
        CodedPlanner.candidates(workers).stream()
            .filter(codes -> codes.stragglers() == 0)
            .map(codes -> planner.measure(codes, ROUNDS_OF_PLAIN))
            .min(Comparator.comparingDouble(CodedPlan::seconds))
            .orElseThrow();
    CodedPlan usual =
        planner.measure(ExchangeType.CODED.descriptor().codes(options, workers).orElseThrow());
    return new PlannedTree(file, planner.plan(workers), usual, plain, times);
  }

  private static RunHistory history(PlacedFile file) {
    try {
      return RunHistory.read(file);
    } catch (InvalidHistoryException e) {
      // The message names the file at that place.
      throw new UsageException(OPTION + e.getMessage(), e);
    }
  }

  private static void checkSame(String place, String option, RunHistory history, String here) {
    String there = history.head().option(option).orElse("");
    if (!there.equals(here)) {
      throw mistake(
          place,
          "was a run with --%s %s, and this one has %s: its gradients take another time"
              .formatted(option, there, here));
    }
  }

  private static void checkPossible(String place, MeasuredTimes times) {
    OptionalDouble impossible = times.impossible();
    if (impossible.isPresent()) {
      throw mistake(
          place,
          "has a time of %s s: times must be finite, and 0 or more"
              .formatted(impossible.getAsDouble()));
    }
  }

  private static UsageException mistake(String place, String what) {
    return new UsageException(OPTION + place + ": " + what);
  }

  /** Returns the options with this choice; a single worker has no tree. */
  ExchangeOptions in(ExchangeOptions options) {
    CodeTree codes = chosen.codes();
    return options.workers() == 1
        ? options.without(CodedOptions.PLAN_FROM)
        : options
            .without(CodedOptions.PLAN_FROM)
            .with(CodedOptions.CHILDREN, codes.tree().children())
            .with(CodedOptions.STRAGGLERS, codes.stragglers());
  }

  /** Returns one line with the choice and its reason. */
  String words() {
    CodeTree codes = chosen.codes();
    double[] all = Arrays.stream(times.byWorker()).flatMapToDouble(Arrays::stream).toArray();
    Arrays.sort(all);
    return String.format(
        Locale.ROOT,
        "planned: coded:children=%d,stragglers=%d, load r = %.3f, %.1f ms per round; "
            + "the default tree (n = %d, s = %d) takes %.1f ms, the best without redundancy "
            + "%.1f ms; from %s: a worker took %.1f to %.1f ms for the samples of a round "
            + "(median %.1f), an answer %s",
        codes.tree().children(),
        codes.stragglers(),
        codes.load(),
        chosen.seconds() * MILLIS,
        usual.codes().tree().children(),
        usual.codes().stragglers(),
        usual.seconds() * MILLIS,
        plain.seconds() * MILLIS,
        history,
        all[0] * MILLIS,
        all[all.length - 1] * MILLIS,
        all[all.length / 2] * MILLIS,
        answer());
  }

  /**
   * Returns the time of an answer. A single message has no first and last part between which time
   * could be measured.
   */
  private String answer() {
    return times.messageSeconds() == 0
        ? "no time, as it was one message"
        : String.format(Locale.ROOT, "%.2f ms", times.messageSeconds() * MILLIS);
  }
}
