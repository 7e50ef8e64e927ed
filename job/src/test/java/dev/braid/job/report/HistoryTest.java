package dev.braid.job.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.OutputStream;
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

  private static final Outcome OUTCOME =
      new Outcome(
          "ab", 2, List.of(), 1, 0.1, List.of(0.9, 0.92), 1, 5, 1, 0.9, "fine", true, "m", "h");

  private record Format() implements ModelFormat {
    @Override
    public String nativeLibrary() {
      return "a library";
    }

    @Override
    public void write(float[] weights, float[][] updaterState, long steps, OutputStream out) {}
  }

  @Test
  void hasTheOptionsFirstThenEachEvaluationThenTheOutcome() throws Exception {
    Path out = folder.resolve("a folder");
    ReportConfig config =
        new ReportConfig("{\"workers\":4}", out.toString(), 10, 2, true, new Format());
    History history = new History(config, 4, Instant.EPOCH);
    Evaluation evaluation = new Evaluation(1, 5, 0.5, 0.4, 0.9, 10, 1.2, 1.5, 99, MEANS);
    history.write(List.of(evaluation), Optional.empty());
    history.write(List.of(evaluation), Optional.of(OUTCOME));

    List<String> lines = Files.readAllLines(out.resolve("history.jsonl"));
    assertThat(lines).hasSize(3);
    JsonNode head = Json.read(lines.get(0), JsonNode.class);
    assertThat(head.at("/options/workers").intValue()).isEqualTo(4);
    assertThat(head.at("/nativeLibrary").textValue()).isEqualTo("a library");
    assertThat(head.at("/flink").textValue()).isNotEmpty();
    assertThat(Json.read(lines.get(1), Evaluation.class)).isEqualTo(evaluation);
    assertThat(Json.read(lines.get(2), Outcome.class)).isEqualTo(OUTCOME);
    assertThat(entries(out)).containsExactly("history.jsonl");
  }

  @Test
  void canBeRead() throws Exception {
    ReportConfig config =
        new ReportConfig("{\"workers\":4}", folder.toString(), 10, 2, true, new Format());
    Evaluation evaluation = new Evaluation(1, 5, 0.5, 0.4, 0.9, 10, 1.2, 1.5, 99, MEANS);
    Path file = folder.resolve("history.jsonl");
    new History(config, 4, Instant.EPOCH).write(List.of(evaluation), Optional.of(OUTCOME));

    RunHistory read = RunHistory.read(file);
    assertThat(read.head().option("workers")).hasValue("4");
    assertThat(read.head().option("seed")).isEmpty();
    assertThat(read.head().started()).isEqualTo("1970-01-01T00:00:00Z");
    assertThat(read.head().machine()).contains(" cores, ");
    assertThat(read.evaluations()).containsExactly(evaluation);
    assertThat(read.outcome()).hasValue(OUTCOME);

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

  @Test
  void aFileThatCouldNotBeWrittenLeavesTheOldOne() throws Exception {
    Path file = Files.writeString(folder.resolve("model.zip"), "good");
    assertThatThrownBy(
            () ->
                WholeFile.write(
                    file.toString(),
                    out -> {
                      out.write(1);
                      throw new IOException("disk full");
                    }))
        .hasMessage("disk full");
    assertThat(file).hasContent("good");
    assertThat(entries(folder)).containsExactly("model.zip");
  }

  private static List<String> entries(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
