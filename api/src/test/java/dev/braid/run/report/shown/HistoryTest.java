package dev.braid.run.report.shown;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.braid.files.WholeFile;
import dev.braid.learner.math.MathKernels;
import dev.braid.run.result.BestModel;
import dev.braid.run.result.Evaluation;
import dev.braid.run.result.InvalidHistoryException;
import dev.braid.run.result.Json;
import dev.braid.run.result.MathUse;
import dev.braid.run.result.Outcome;
import dev.braid.run.result.RunHistory;
import dev.braid.run.result.TestScore;
import dev.braid.run.result.WorkerMeans;
import dev.braid.run.result.WorkersMath;
import dev.braid.worker.report.Reports.Began;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryTest {

  @TempDir private Path folder;

  private static final WorkerMeans MEANS = new WorkerMeans(0.7, 0.3, 0.2, 1.5, 4, 2.5, 1e6, 6);

  private static final Optional<BestModel> BEST =
      Optional.of(new BestModel(1, new TestScore.Accuracy(0.9), "b"));

  private static final Outcome OUTCOME =
      new Outcome(
          "ab",
          2,
          List.of(),
          1,
          0.1,
          Optional.of(List.of(0.9, 0.92)),
          1,
          5,
          1,
          0.9,
          BEST,
          "fine",
          true,
          0,
          true,
          "m",
          "h",
          Optional.empty(),
          Double.NaN,
          Double.NaN,
          Optional.empty());

  private static final MathKernels KERNELS = new MathKernels("BLAS 1", "HASWELL", 0xabcd);
  private static final WorkersMath MATH = new WorkersMath();

  static {
    MATH.add(new Began(0, 1, "a host", 16_320, KERNELS));
  }

  private static Evaluation evaluation(
      int epoch, long round, double trainLoss, long samples, double testLoss) {
    return Evaluation.of(
        epoch,
        round,
        new Evaluation.TrainFigures(trainLoss, samples, 1.2, 0),
        Evaluation.TestFigures.ofClasses(testLoss, 0.9, 10, 10),
        1.5,
        99,
        MEANS);
  }

  @Test
  void hasTheOptionsFirstThenEachEvaluationThenTheOutcome() throws Exception {
    Path out = folder.resolve("a folder");
    History history = new History("{\"workers\":4}", List.of("1-2"), "a library", 4, Instant.EPOCH);
    Evaluation evaluation = evaluation(1, 5, 0.5, 10, 0.4);
    Path file = out.resolve("history.jsonl");
    WholeFile.write(file.toString(), history.of(3, MATH, List.of(evaluation), Optional.empty()));
    WholeFile.write(
        file.toString(), history.of(3, MATH, List.of(evaluation), Optional.of(OUTCOME)));

    List<String> lines = Files.readAllLines(file);
    assertThat(lines).hasSize(3);
    JsonNode head = Json.read(lines.get(0), JsonNode.class);
    assertThat(head.at("/options/workers").intValue()).isEqualTo(4);
    assertThat(head.at("/workers").intValue()).as("as many as there are").isEqualTo(3);
    assertThat(head.at("/nativeLibrary").textValue()).isEqualTo("a library");
    assertThat(head.at("/data/0").textValue()).isEqualTo("1-2");
    assertThat(head.at("/flink").textValue()).isNotEmpty();
    assertThat(Json.read(lines.get(1), Evaluation.class)).isEqualTo(evaluation);
    assertThat(Json.read(lines.get(2), Outcome.class)).isEqualTo(OUTCOME);
    assertThat(entries(out)).containsExactly("history.jsonl");
  }

  /** Lines are encoded once; a line that is amended later and a new line are both written. */
  @Test
  void hasEvaluationsAsTheyAreNow() throws Exception {
    Path file = folder.resolve("history.jsonl");
    History history = new History("{\"workers\":4}", List.of("1-2"), "a library", 4, Instant.EPOCH);
    Evaluation first = evaluation(1, 5, 0.5, 10, 0.4);
    Evaluation amended = evaluation(1, 5, 0.5, 12, 0.4);
    Evaluation next = evaluation(2, 9, 0.4, 10, 0.3);
    for (List<Evaluation> now :
        List.of(List.of(first), List.of(first, next), List.of(amended, next), List.of(amended))) {
      WholeFile.write(file, history.of(4, MATH, now, Optional.empty()));
      assertThat(RunHistory.read(file).evaluations()).isEqualTo(now);
    }
  }

  @Test
  void canBeRead() throws Exception {
    Evaluation evaluation = evaluation(1, 5, 0.5, 10, 0.4);
    Path file = folder.resolve("history.jsonl");
    History history = new History("{\"workers\":4}", List.of("1-2"), "a library", 4, Instant.EPOCH);
    WholeFile.write(file, history.of(4, MATH, List.of(evaluation), Optional.of(OUTCOME)));

    RunHistory read = RunHistory.read(file);
    assertThat(read.head().option("workers")).hasValue("4");
    assertThat(read.head().option("seed")).isEmpty();
    assertThat(read.head().started()).isEqualTo("1970-01-01T00:00:00Z");
    assertThat(read.head().machine()).contains(" cores, ");
    assertThat(read.head().chunkLength()).isEqualTo(16_320);
    assertThat(read.head().math())
        .containsExactly(new MathUse(KERNELS, List.of(0), List.of("a host"), false));
    assertThat(read.evaluations()).containsExactly(evaluation);
    assertThat(read.outcome()).hasValue(OUTCOME);

    Path sparse = folder.resolve("sparse.jsonl");
    try (RandomAccessFile grown = new RandomAccessFile(sparse.toFile(), "rw")) {
      grown.setLength((64 << 20) + 1);
    }
    assertThatThrownBy(() -> RunHistory.read(sparse))
        .isInstanceOf(InvalidHistoryException.class)
        .hasMessage(sparse + ": 67108865 bytes; a history has at most 67108864");
    String written = Files.readString(file);
    for (String damaged :
        List.of(
            "",
            written.substring(0, written.length() / 2),
            written + "{}",
            written.replace("\"staleness\":1.5,", ""),
            written.replace("\"machine\"", "\"engine\""))) {
      Files.writeString(file, damaged);
      assertThatThrownBy(() -> RunHistory.read(file))
          .isInstanceOf(InvalidHistoryException.class)
          .hasMessageStartingWith(file.toString());
    }
  }

  private static List<String> entries(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
