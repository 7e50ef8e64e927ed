package dev.braid.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.Figure;
import dev.braid.job.CommandRun;
import dev.braid.run.result.RunHistory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code braid compare} as a user runs it, on a small data set. */
class CompareITCase {

  private static final int SAMPLES = 800;

  @TempDir private Path folder;

  @BeforeEach
  void writeData() throws IOException {
    Files.writeString(folder.resolve("points.csv"), rows(SAMPLES, 1));
    Files.writeString(folder.resolve("points.test.csv"), rows(200, 2));
  }

  /** Returns rows of points, whose class is whether the first coordinate is larger. */
  private static String rows(int count, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < count; i++) {
      double x = random.nextDouble(-1, 1);
      double y = random.nextDouble(-1, 1);
      rows.append((float) x).append(',').append((float) y).append(x > y ? ",1\n" : ",0\n");
    }
    return rows.toString();
  }

  @Test
  void exchangesAreComparedByWhatTheyMeasured() throws Exception {
    BraidProcess run = compare("ring,ako:partitions=2", "--epochs", "2");
    assertThat(run.awaitEnd()).as(run::output).isZero();

    assertThat(run.output()).contains("run 1 of 2: ring", "run 2 of 2: ako:partitions=2");
    RunHistory ring = history("ring");
    RunHistory ako = history("ako-partitions-2");
    assertMeasured(ring);
    assertMeasured(ako);
    assertThat(ring.evaluations())
        .allMatch(epoch -> epoch.worker().get(Figure.WORST_STALENESS) == 0);
    assertThat(ring.evaluations()).allMatch(epoch -> epoch.worker().get(Figure.PARTITIONS) == 0);
    // With two workers and two parts, one part is always a round behind while both keep step.
    assertThat(ako.evaluations()).allMatch(epoch -> epoch.worker().get(Figure.STALENESS) > 0);
    assertThat(ako.evaluations()).allMatch(epoch -> epoch.worker().get(Figure.PARTITIONS) == 2);
    assertThat(folder.resolve("out/ako-partitions-2/model.zip")).isNotEmptyFile();
    assertThat(folder.resolve("out/comparison.html"))
        .content()
        .contains(
            "Chart.js",
            "<a href=\"ako-partitions-2/\">ako:partitions=2</a>",
            "--learning-rate",
            "cores");

    CommandRun again =
        CommandRun.of(
            "compare",
            "--from",
            out("ring"),
            out("ako-partitions-2"),
            "--out",
            folder.resolve("again").toString());
    assertThat(again.exitCode()).as(again::err).isZero();
    assertThat(row(again.out(), "exchange ")).isEqualTo("exchange ring ako:partitions=2");
    assertThat(row(run.output(), "best test accuracy "))
        .isEqualTo(row(again.out(), "best test accuracy "));
    assertThat(folder.resolve("again/comparison.html")).isNotEmptyFile();
  }

  @Test
  @Tag("long")
  void averagesAndServersAreComparedByWhatTheyMeasured() throws Exception {
    BraidProcess run =
        compare("averaging:interval=4,ps:consistency=async,servers=1", "--epochs", "2");
    assertThat(run.awaitEnd()).as(run::output).isZero();

    RunHistory averaging = history("averaging-interval-4");
    assertMeasured(averaging);
    assertMeasured(history("ps-consistency-async-servers-1"));
    // Staleness is 0, 1, 2 and 3 batches after each average; an epoch has a multiple of four
    // batches.
    assertThat(averaging.evaluations())
        .allMatch(epoch -> epoch.worker().get(Figure.STALENESS) == 1.5);
    assertThat(averaging.evaluations())
        .allMatch(epoch -> epoch.worker().get(Figure.WORST_STALENESS) == 3);
  }

  private static void assertMeasured(RunHistory history) {
    assertThat(history.evaluations()).hasSize(2);
    assertThat(history.outcome()).isPresent();
    assertThat(history.evaluations())
        .allSatisfy(
            epoch -> {
              double parts =
                  epoch.worker().get(Figure.COMPUTE_TIME)
                      + epoch.worker().get(Figure.EXCHANGE_TIME)
                      + epoch.worker().get(Figure.WAIT_TIME);
              assertThat(parts).isPositive().isLessThanOrEqualTo(epoch.trainSeconds() + 1e-6);
            });
  }

  @Test
  @Tag("long")
  void runsThatDivergeAreRows_andEndNothing() throws Exception {
    BraidProcess run = compare("ring,gossip", "--epochs", "3", "--learning-rate", "1e38");

    assertThat(run.awaitEnd()).as(run::output).isEqualTo(1);
    assertThat(run.output()).contains("run 2 of 2: gossip");
    assertThat(row(run.output(), "ring: ")).contains("no model was saved");
    assertThat(row(run.output(), "gossip: ")).contains("no model was saved");
    assertThat(folder.resolve("out/comparison.html")).isNotEmptyFile();
  }

  @Test
  @Tag("long")
  void interrupt_showsWhatThereIs() throws Exception {
    BraidProcess run = compare("ring,tree", "--epochs", "100000", "--links", "2ms");
    run.await("test accuracy");
    run.interrupt();

    assertThat(run.awaitEnd()).as(run::output).isEqualTo(130);
    assertThat(run.output()).doesNotContain("run 2 of 2", "--restore");
    assertThat(run.temporaryFiles()).as("of the run that was stopped").isEmpty();
    assertThat(row(run.output(), "ring: ")).isEqualTo("ring: interrupted");
    assertThat(folder.resolve("out/comparison.html")).content().contains("1 of 2 runs had started");
  }

  @Test
  @Tag("long")
  void runsEndWithWhatHasStartedThem() throws Exception {
    BraidProcess compare = compare("ring,tree", "--epochs", "100000");
    // The first output appears when Flink runs; the log begins earlier, and the watch before the
    // log.
    compare.await(() -> Files.exists(Path.of(out("ring"), "braid.log")));
    List<ProcessHandle> runs = compare.descendants();
    assertThat(runs).hasSize(1);

    try {
      compare.kill();
      runs.get(0).onExit().get(1, TimeUnit.MINUTES);
    } finally {
      runs.get(0).destroyForcibly();
    }
  }

  /** Returns the last line with this beginning. */
  private static String row(String output, String begin) {
    return output
        .lines()
        .filter(line -> line.startsWith(begin))
        .map(line -> line.replaceAll(" +", " "))
        .reduce((first, second) -> second)
        .orElseThrow(() -> new AssertionError("no line '" + begin + "' in\n" + output));
  }

  private String out(String run) {
    return folder.resolve("out").resolve(run).toString();
  }

  private RunHistory history(String run) {
    return RunHistory.read(Path.of(out(run)).resolve("history.jsonl"));
  }

  private BraidProcess compare(String exchanges, String... options) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("compare", "--exchanges", exchanges));
    arguments.addAll(List.of("--out", folder.resolve("out").toString()));
    arguments.addAll(List.of("--data", folder.resolve("points.csv").toString()));
    arguments.addAll(List.of("--model", "logistic", "--workers", "2", "--batch", "20"));
    if (!List.of(options).contains("--learning-rate")) {
      arguments.addAll(List.of("--learning-rate", "0.1"));
    }
    arguments.addAll(List.of(options));
    return BraidProcess.start(folder.resolve("run.log"), arguments.toArray(String[]::new));
  }
}
