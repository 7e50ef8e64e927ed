package dev.braid.run.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EarlierResultsTest {

  private static final List<String> NAMES = List.of("history.jsonl", "model.zip");

  @TempDir private Path folder;

  @Test
  void areMovedTogether_underTheTimeOfTheLast() throws Exception {
    write("history.jsonl", "2026-03-01T10:00:00Z");
    write("model.zip", "2026-03-01T10:00:05Z");
    write("notes.txt", "2026-03-01T11:00:00Z");
    write("braid.log", "2026-03-01T11:00:00Z");

    assertThat(EarlierResults.putAside(folder.toString(), NAMES))
        .hasValue(folder + "/earlier/2026-03-01T10-00-05Z");
    assertThat(files())
        .containsExactly(
            "earlier/2026-03-01T10-00-05Z/braid.log",
            "earlier/2026-03-01T10-00-05Z/history.jsonl",
            "earlier/2026-03-01T10-00-05Z/model.zip",
            "notes.txt");
  }

  @Test
  void ofTheSameSecond_areKeptApart() throws Exception {
    for (int run = 0; run < 3; run++) {
      write("model.zip", "2026-03-01T10:00:05Z");
      EarlierResults.putAside(folder.toUri().toString(), NAMES);
    }
    assertThat(files())
        .containsExactly(
            "earlier/2026-03-01T10-00-05Z-2/model.zip",
            "earlier/2026-03-01T10-00-05Z-3/model.zip",
            "earlier/2026-03-01T10-00-05Z/model.zip");
  }

  @Test
  void whatIsNotOlderStays() throws Exception {
    write("history.jsonl", "2026-03-01T10:00:00Z");
    write("model.zip", "2026-03-01T10:00:05Z");
    long between = Instant.parse("2026-03-01T10:00:03Z").toEpochMilli();
    EarlierResults.putAside(folder.toString(), NAMES, between);
    assertThat(files()).containsExactly("earlier/2026-03-01T10-00-00Z/history.jsonl", "model.zip");
  }

  @Test
  void oneWhoWasGivenUpMovesNothingMore() throws Exception {
    write("model.zip", "2026-03-01T10:00:05Z");
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> EarlierResults.putAside(folder.toString(), NAMES))
        .isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(folder.resolve("model.zip")).exists();
  }

  @Test
  void theLatestOfANameIsFound() throws Exception {
    Path model = folder.resolve("model.zip");
    assertThat(EarlierResults.latest(model)).isEmpty();
    for (String time : List.of("2026-03-01T10:00:05Z", "2026-03-02T10:00:05Z")) {
      write("model.zip", time);
      EarlierResults.putAside(folder.toString(), NAMES);
    }
    assertThat(EarlierResults.latest(model))
        .hasValue(folder.resolve("earlier/2026-03-02T10-00-05Z/model.zip"));
  }

  @Test
  void whereThereAreNone_nothingIsMade() throws Exception {
    String nowhere = folder.resolve("new").toString();
    assertThat(EarlierResults.putAside(nowhere, NAMES)).isEmpty();
    assertThat(folder).isEmptyDirectory();
  }

  private void write(String name, String time) throws IOException {
    Path file = Files.writeString(folder.resolve(name), name);
    Files.setLastModifiedTime(file, FileTime.from(Instant.parse(time)));
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> folder.relativize(file).toString())
          .sorted()
          .toList();
    }
  }
}
