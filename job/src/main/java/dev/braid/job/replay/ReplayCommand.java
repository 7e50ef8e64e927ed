package dev.braid.job.replay;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.lineage.Lineage;
import dev.braid.connectors.lineage.RecordedRun;
import dev.braid.job.console.ExitCodes;
import dev.braid.job.console.Terminal;
import dev.braid.job.console.UsageException;
import dev.braid.job.options.TrainOptions;
import dev.braid.learner.OffsetRange;
import dev.braid.run.result.EarlierResults;
import dev.braid.run.training.Recomputation;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.core.fs.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Command {@code braid replay}: recomputes a run on a topic. */
@Command(
    name = "replay",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = {
      "Repeats a training on a Kafka topic in this process, from the lineage of the "
          + "run, and compares the model with the digests that the run recorded.",
      "",
      "The topic must still have the records.",
      ""
    },
    exitCodeListHeading = "%nExit codes%n",
    exitCodeList = {
      "0:training repeated, and all digests are equal",
      "1:failed, or a digest or a run differs",
      "2:invalid options, lineage or topic",
      "130:interrupted by Ctrl-C (SIGINT)"
    })
public final class ReplayCommand implements Callable<Integer> {

  private static final Pattern OFFSETS = Pattern.compile("(\\d{1,9}):(\\d{1,18})(?:-(\\d{1,18}))?");

  /** Maximum number of records that may be left out. */
  private static final long MOST_LEFT_OUT = 1_000_000;

  /** Maximum size of a run file, in bytes. */
  private static final int MOST_BYTES = 1 << 20;

  private final Terminal terminal;

  @Parameters(
      index = "0",
      paramLabel = "OUT",
      description =
          "Folder or URI of the run: its --out, with the lineage or a run.yaml that "
              + "names the place of the lineage.")
  private String out;

  @Option(
      names = "--to",
      paramLabel = "ROUNDS",
      description = {
        "Number of rounds to repeat.",
        "Default: up to the last round with a recorded digest"
      })
  private Long to;

  @Option(
      names = "--from",
      paramLabel = "CHECKPOINT",
      description = {"Checkpoint of the run to start from.", "Default: start with the first round"})
  private String from;

  @Option(
      names = "--round",
      paramLabel = "N",
      description =
          "Show each sample of this round, counted from 0, with its offset, its loss and "
              + "the norm of its gradient, and stop.")
  private Long round;

  @Option(
      names = "--without",
      paramLabel = "PARTITION:OFFSET[-END],…",
      split = ",",
      hideParamSyntax = true,
      description = "Leave out these records, such as 0:4711 or 0:4711-4720; END is excluded.")
  private List<String> without = List.of();

  @Option(names = "--model", paramLabel = "FILE", description = "File for the final model.")
  private String model;

  @Option(
      names = "--against",
      paramLabel = "OUT",
      description =
          "Run to compare with instead: compares the lineages and shows the first round "
              + "in which they differ.")
  private String against;

  /** Creates a command that shows its progress on a terminal. */
  public ReplayCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    RecordedRun run = read(out);
    if (against != null) {
      return compare(run, read(against));
    }
    long rounds = rounds(run);
    try (Replay replay =
        Replay.of(run, terminal, Optional.ofNullable(from), offsets(run), rounds)) {
      Optional.ofNullable(model).ifPresent(replay::checkPlace);
      return round == null ? recompute(replay, run, rounds) : show(replay, rounds);
    } catch (InvalidDataException e) {
      throw new UsageException(e.getMessage(), e);
    }
  }

  private RecordedRun read(String place) {
    try {
      Path folder = new Path(EarlierResults.in(place, EarlierResults.LINEAGE));
      Optional<TrainOptions.Stream> topic =
          folder.getFileSystem().exists(folder)
              ? Optional.empty()
              : stream(place).filter(stream -> stream.settings().lineage().isPresent());
      if (topic.isEmpty()) {
        return RecordedRun.read(folder.toString());
      }
      String lineage = topic.get().settings().lineage().orElseThrow();
      try (Lineage opened = Lineage.open(lineage, topic.get().topic())) {
        return RecordedRun.read(opened);
      }
    } catch (InvalidDataException | IOException e) {
      throw new UsageException(e.getMessage(), e);
    }
  }

  /** Returns the topic in the run's options; empty if the run has left no options. */
  private Optional<TrainOptions.Stream> stream(String place) throws IOException {
    Path file = new Path(EarlierResults.in(place, EarlierResults.RUN));
    if (!file.getFileSystem().exists(file)) {
      return Optional.empty();
    }
    try (InputStream in = file.getFileSystem().open(file)) {
      String text = new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
      return Replay.options(text, terminal).samples().stream();
    }
  }

  private long rounds(RecordedRun run) {
    long last = run.digests().isEmpty() ? run.rounds() : run.digests().lastKey();
    long wanted = round != null ? round + 1 : to != null ? to : last;
    String option = round != null ? "--round " + round : "--to " + to;
    if (wanted < 1 || wanted > run.rounds()) {
      throw new UsageException(
          "%s: the run has %,d rounds: must be a number of them".formatted(option, run.rounds()));
    }
    return wanted;
  }

  private int recompute(Replay replay, RecordedRun run, long rounds) throws Exception {
    Recomputation.Comparison comparison = replay.run(rounds);
    terminal.endLine();
    if (model != null) {
      replay.save(model);
      terminal.print("model          " + model);
    }
    terminal.print("rounds         " + String.format(Locale.ROOT, "%,d", rounds));
    terminal.print("digest         " + replay.digest());
    if (!without.isEmpty()) {
      return ExitCodes.OK;
    }
    Optional<Long> differs = comparison.firstDifference();
    terminal.print(
        "recorded       "
            + differs
                .map(
                    at ->
                        "DIFFERENT after round %,d: the run recorded %s"
                            .formatted(at, run.digests().get(at)))
                .orElse(
                    comparison.compared() == 0
                        ? "no digest of these rounds"
                        : "%,d digests, all equal".formatted(comparison.compared())));
    return differs.isPresent() ? ExitCodes.FAILED : ExitCodes.OK;
  }

  private int show(Replay replay, long rounds) throws Exception {
    replay.run(rounds - 1);
    terminal.endLine();
    replay.samples(rounds - 1).forEach(terminal::print);
    return ExitCodes.OK;
  }

  private int compare(RecordedRun one, RecordedRun other) {
    List<String> differences = Differences.between(one, other);
    differences.forEach(terminal::print);
    return differences.size() == 1 ? ExitCodes.OK : ExitCodes.FAILED;
  }

  private List<OffsetRange> offsets(RecordedRun run) {
    List<OffsetRange> offsets = new ArrayList<>();
    for (String text : without) {
      Matcher matcher = OFFSETS.matcher(text);
      if (!matcher.matches()) {
        throw new UsageException(
            "--without " + text + ": must be PARTITION:OFFSET or PARTITION:OFFSET-END");
      }
      int partition = Integer.parseInt(matcher.group(1));
      long start = Long.parseLong(matcher.group(2));
      long end = Optional.ofNullable(matcher.group(3)).map(Long::parseLong).orElse(start + 1);
      if (end <= start || end - start > MOST_LEFT_OUT - offsets.size()) {
        throw new UsageException(
            "--without %s: must be 1 to %,d records".formatted(text, MOST_LEFT_OUT));
      }
      requireUsed(run, new OffsetRange(partition, start, end), text);
      for (long offset = start; offset < end; offset++) {
        offsets.add(new OffsetRange(partition, offset, offset + 1));
      }
    }
    return offsets;
  }

  private static void requireUsed(RecordedRun run, OffsetRange wanted, String text) {
    long used =
        run.deals().stream()
            .flatMap(deal -> deal.shares().stream())
            .flatMap(List::stream)
            .filter(range -> range.partition() == wanted.partition())
            .mapToLong(
                range ->
                    Math.min(range.end(), wanted.end()) - Math.max(range.start(), wanted.start()))
            .filter(overlap -> overlap > 0)
            .sum();
    if (used < wanted.end() - wanted.start()) {
      throw new UsageException(
          ("--without %s: the run used only %,d of these %,d offsets: use offsets of its "
                  + "lineage")
              .formatted(text, used, wanted.end() - wanted.start()));
    }
  }
}
