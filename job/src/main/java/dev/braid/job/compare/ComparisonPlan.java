package dev.braid.job.compare;

import dev.braid.job.console.Terminal;
import dev.braid.job.console.UsageException;
import dev.braid.job.options.ChaosOptions;
import dev.braid.job.options.TrainOptions;
import dev.braid.job.options.Validation;
import dev.braid.job.plan.RunPlan;
import dev.braid.job.train.TrainArguments;
import dev.braid.run.result.EarlierResults;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Plan of the runs of a comparison. All runs are validated as far as possible before the first
 * starts, because the last may start hours later.
 */
final class ComparisonPlan {

  /**
   * Options that a comparison refuses: each run has its own exchange and starts from the beginning.
   */
  private static final List<String> NOT_FOR_ALL =
      List.of("--exchange", "--restore", "--client-timeout");

  private ComparisonPlan() {}

  /**
   * Returns the runs, in order.
   *
   * @param others options of {@code braid train}, for all runs
   * @param folder parent of the runs' folders
   * @throws UsageException for the first error
   */
  static List<TrainRun> of(
      List<ExchangeSpec> exchanges, List<String> others, Path folder, Terminal terminal) {
    TrainArguments given = TrainArguments.of(others, terminal);
    for (String option : NOT_FOR_ALL) {
      if (given.isTyped(option)) {
        throw new UsageException(
            option + ": not an option for a comparison; see braid compare --help");
      }
    }
    // A run file's options of this kind belong to the run that it describes.
    TrainArguments common = given.without(NOT_FOR_ALL);
    check(common);
    List<TrainRun> runs = new ArrayList<>();
    Map<String, String> names = new HashMap<>();
    Set<String> folders = new HashSet<>();
    for (ExchangeSpec exchange : exchanges) {
      TrainArguments arguments = common.with(Map.of("--exchange", exchange.text()));
      try {
        String same = names.put(check(arguments), exchange.text());
        if (same != null) {
          throw new UsageException("is the same as " + same);
        }
        if (!folders.add(exchange.folder())) {
          throw new UsageException(
              "its folder would be %s, like that of another run; compare the two with --from"
                  .formatted(folder.resolve(exchange.folder())));
        }
      } catch (UsageException e) {
        throw exchange.mistake(e.getMessage());
      }
      runs.add(run(exchange, arguments, folder));
    }
    return runs;
  }

  private static TrainRun run(ExchangeSpec exchange, TrainArguments arguments, Path folder) {
    Path out = folder.resolve(exchange.folder());
    Validation.checkWritable("--out", out.toString());
    checkInputs(arguments.options(), out);
    List<String> words = arguments.with(Map.of("--out", out.toString())).words();
    return new TrainRun(exchange.text(), out, words);
  }

  /** Refuses input files that would be moved away with the results of an earlier comparison. */
  private static void checkInputs(TrainOptions options, Path out) {
    Map<String, String> inputs = new LinkedHashMap<>();
    inputs.put("--model", options.model());
    options
        .faults()
        .chaos()
        .flatMap(ChaosOptions::file)
        .ifPresent(file -> inputs.put("--chaos-file", file));
    inputs.forEach(
        (option, place) -> {
          Path file = Path.of(place).toAbsolutePath().normalize();
          if (out.equals(file.getParent())
              && EarlierResults.ALL.contains(file.getFileName().toString())) {
            throw new UsageException(
                option
                    + " "
                    + place
                    + ": is in the folder of a run that starts from the beginning; copy it, or give"
                    + " another --out");
          }
        });
  }

  /** Validates a run. Returns a description that two runs share only if they are the same. */
  private static String check(TrainArguments run) {
    TrainOptions options = run.options();
    Validation.checkEmbedded(options);
    run.checkData();
    options
        .recovery()
        .checkpointDir()
        .ifPresent(place -> Validation.checkWritable("--checkpoint-dir", place));
    return RunPlan.of(options).optionsJson();
  }
}
