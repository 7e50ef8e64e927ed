package dev.braid.job.compare;

import dev.braid.files.WholeFile;
import dev.braid.job.console.ExitCodes;
import dev.braid.job.console.Places;
import dev.braid.job.console.Terminal;
import dev.braid.job.console.UsageException;
import dev.braid.job.options.FilePlugins;
import dev.braid.job.options.Validation;
import dev.braid.job.train.TrainArguments;
import dev.braid.run.result.InvalidHistoryException;
import dev.braid.run.result.RunHistory;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.LocalStreamEnvironment;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Unmatched;

/**
 * Command {@code braid compare}: trains with several exchanges under equal conditions and compares
 * the results.
 */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    customSynopsis = {
      "braid compare --exchanges LIST [--out FOLDER] [options of braid train]",
      "       braid compare --from FOLDER... [--out FOLDER]"
    },
    description = {
      "Trains with several exchanges, one after the other, each in a new process "
          + "with an embedded Flink.",
      "",
      "Prints a table and writes a page with plots.",
      "",
      "All options of 'braid train' (see braid train --help-all) except --exchange, "
          + "--restore and --client-timeout are possible, and apply to all runs, for "
          + "example --workers 8 --target-accuracy 0.97 --epochs 20.",
      ""
    },
    exitCodeListHeading = "%nExit codes%n",
    exitCodeList = {
      "0:all runs trained",
      "1:a run failed or diverged; the others are compared",
      "2:invalid options or data",
      "130:interrupted by Ctrl-C (SIGINT); the runs that have begun are compared",
      "141:the reader of standard output has closed it",
      "143:interrupted by SIGTERM; the runs that have begun are compared"
    })
public final class CompareCommand implements Callable<Integer> {

  private static final String PAGE = "comparison.html";

  private final Terminal terminal;
  private final Class<?> main;

  @Option(
      names = ExchangeSpec.OPTION,
      paramLabel = "LIST",
      description = {
        "Exchanges to compare, separated by commas, each as for 'braid train --exchange':",
        "ring,ako,ako:partitions=4,staleness=2. 'braid exchanges' lists them."
      })
  private String exchanges;

  @Option(
      names = "--from",
      paramLabel = "FOLDER",
      arity = "1..*",
      description = "Compare the runs whose results are in these folders, without training.")
  private List<Path> from;

  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      defaultValue = "out",
      description = {
        "Folder for "
            + PAGE
            + ", with a subfolder for each run, which has its model, history and log.",
        "Default: ${DEFAULT-VALUE}"
      })
  private String out;

  @Unmatched private List<String> others = new ArrayList<>();

  /**
   * Creates the command.
   *
   * @param main main class of {@code braid}, also for the process of each run
   */
  public CompareCommand(Terminal terminal, Class<?> main) {
    this.terminal = terminal;
    this.main = main;
  }

  @Override
  public Integer call() throws Exception {
    if ((exchanges == null) == (from == null)) {
      throw new UsageException(ExchangeSpec.OPTION + " or --from: use one of them");
    }
    if (!Validation.isLocal("--out", out)) {
      throw new UsageException("--out " + out + ": must be a folder on a local disk");
    }
    Path folder = Validation.localPath(out);
    Validation.checkWritable("--out", folder.toString());
    return from == null ? train(folder) : read(folder);
  }

  private int train(Path folder) throws Exception {
    if (!(StreamExecutionEnvironment.getExecutionEnvironment(new Configuration())
        instanceof LocalStreamEnvironment)) {
      throw new UsageException(
          "compare: trains only in embedded Flinks. On a cluster, 'flink run' each "
              + "exchange, then compare --from their folders");
    }
    // Load the plug-ins that each run needs. Of an argument --name=place, the place counts.
    FilePlugins.loadFor(
        Stream.concat(
                TrainArguments.of(others, terminal).words().stream(),
                Stream.of(exchanges.split(",")))
            .map(word -> word.substring(word.indexOf('=') + 1))
            .toList());
    List<TrainRun> plan = ComparisonPlan.of(ExchangeSpec.list(exchanges), others, folder, terminal);
    for (TrainRun run : plan) {
      run.putAsideEarlier();
    }
    List<ComparedRun> runs = new ArrayList<>();
    try (CompareInterruption interruption = new CompareInterruption(terminal)) {
      for (TrainRun run : plan) {
        if (interruption.interrupted()) {
          break;
        }
        terminal.print("");
        terminal.print(
            terminal.strong(
                "run %d of %d: %s".formatted(runs.size() + 1, plan.size(), run.name())));
        runs.add(run.run(main, interruption));
      }
      Map<String, Path> folders =
          plan.stream().collect(Collectors.toMap(TrainRun::name, TrainRun::out));
      show(runs, folders, folder, trainedNotes(runs.size(), plan.size()));
      if (runs.size() < plan.size()) {
        terminal.print("interrupted; not begun: " + names(plan.subList(runs.size(), plan.size())));
      }
      interruption.reported();
      if (interruption.interrupted()) {
        return ExitCodes.INTERRUPTED;
      }
    }
    boolean allWell = runs.stream().allMatch(run -> run.trouble().isEmpty());
    return allWell ? ExitCodes.OK : ExitCodes.FAILED;
  }

  private static String names(List<TrainRun> runs) {
    return runs.stream().map(TrainRun::name).collect(Collectors.joining(", "));
  }

  private static List<String> trainedNotes(int runs, int planned) {
    List<String> notes = new ArrayList<>();
    notes.add(
        "The runs followed one another, each in a separate process with an embedded Flink. Each"
            + " process started cold, so its times include JIT compilation.");
    if (runs < planned) {
      notes.add(
          "The comparison was interrupted: %d of %d runs had started.".formatted(runs, planned));
    }
    return notes;
  }

  private int read(Path folder) throws IOException {
    Stream.concat(others.stream(), from.stream().map(Path::toString))
        .filter(word -> word.startsWith("-"))
        .findFirst()
        .ifPresent(
            option -> {
              throw new UsageException(option + ": with --from, only --out is possible");
            });
    Map<Path, RunHistory> histories = new LinkedHashMap<>();
    from.forEach(run -> histories.put(run, history(run)));
    List<ComparedRun> runs = new ArrayList<>();
    Map<String, Path> folders = new HashMap<>();
    histories.forEach(
        (run, history) -> {
          String name = name(run, histories);
          ComparedRun compared = ComparedRun.of(name, history);
          folders.put(compared.name(), run);
          runs.add(compared);
        });
    show(runs, folders, folder, List.of("The page compares the histories of earlier runs."));
    return ExitCodes.OK;
  }

  private static RunHistory history(Path run) {
    try {
      return RunHistory.read(run.resolve("history.jsonl"));
    } catch (InvalidHistoryException e) {
      throw new UsageException("--from " + run + ": " + e.getMessage(), e);
    }
  }

  /** Returns a run's exchange, with its folder if another run has the same exchange. */
  private static String name(Path run, Map<Path, RunHistory> histories) {
    String exchange = ExchangeSpec.textOf(histories.get(run).head());
    long same =
        histories.values().stream()
            .filter(other -> ExchangeSpec.textOf(other.head()).equals(exchange))
            .count();
    return same == 1 ? exchange : exchange + ", " + folderName(run, histories.keySet());
  }

  /**
   * Returns the last name of a folder's path; the whole path if another folder has the same name.
   */
  private static String folderName(Path run, Set<Path> all) {
    Path last = run.toAbsolutePath().normalize().getFileName();
    long same =
        all.stream()
            .filter(other -> other.toAbsolutePath().normalize().getFileName().equals(last))
            .count();
    return same > 1 ? run.toString() : last.toString();
  }

  private void show(
      List<ComparedRun> runs, Map<String, Path> folders, Path folder, List<String> notes)
      throws IOException {
    if (runs.isEmpty()) {
      return;
    }
    Map<String, String> links = new HashMap<>();
    folders.forEach((name, results) -> links.put(name, link(folder, results)));
    Path page = folder.resolve(PAGE);
    byte[] html = ComparisonPage.of(runs, links, notes).getBytes(StandardCharsets.UTF_8);
    WholeFile.write(page, file -> file.write(html));
    terminal.print("");
    new ComparisonTable(runs).lines().forEach(terminal::print);
    RunConditions.of(runs).warning().ifPresent(terminal::print);
    terminal.print("");
    terminal.print("page  " + Places.shown(page));
  }

  /** Returns a relative link, so that the page and the results can be moved together. */
  private static String link(Path folder, Path results) {
    Path relative =
        folder.toAbsolutePath().normalize().relativize(results.toAbsolutePath().normalize());
    return StreamSupport.stream(relative.spliterator(), false)
        .map(part -> URLEncoder.encode(part.toString(), StandardCharsets.UTF_8).replace("+", "%20"))
        .collect(Collectors.joining("/", "", "/"));
  }
}
